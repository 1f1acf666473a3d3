// SPDX-License-Identifier: GPL-3.0-or-later
//
// Workers, code that is compiled while it runs, and a child.
const { Worker, isMainThread, parentPort } = require('worker_threads');
const { execSync } = require('child_process');

function work(count) {
    const seen = new Map();
    let sum = 0;
    for (let i = 0; i < count; i++) {
        sum = (sum + i * i) % 1000003;
        seen.set(i % 5000, sum);
    }
    return sum + seen.size;
}

if (!isMainThread) {
    parentPort.postMessage(work(1500000));
} else {
    let left = 3, sum = 0;
    for (let i = 0; i < 3; i++)
        new Worker(__filename).on('message', value => {
            sum += value;
            if (--left === 0)
                console.log(sum, work(2000000), execSync('echo child').toString());
        });
}
