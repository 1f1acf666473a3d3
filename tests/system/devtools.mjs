// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads profiles of V8 as Chrome's DevTools do, for tools.test, which bundles it with them.
//
//   devtools.mjs FILE.cpuprofile FILE.heapprofile
//
// Prints the microseconds of all functions and of the flame chart, and the bytes of the heap.

import {readFileSync} from 'node:fs';
import {CPUProfileDataModel} from
    'chrome-devtools-frontend/front_end/models/cpu_profile/CPUProfileDataModel.ts';
import protocol from 'devtools-protocol/json/js_protocol.json';

const [times, heap] = process.argv.slice(2, 4).map((path) => JSON.parse(readFileSync(path)));

// Checks a value against its type in the protocol: nothing is missing, and nothing is unknown.
function check(value, type, domain, path) {
    if (type.$ref) {
        const [name, of] = type.$ref.split('.').reverse();
        const place = of ?? domain;
        const types = protocol.domains.find((found) => found.domain === place).types;
        check(value, types.find((found) => found.id === name), place, path);
    } else if (type.type === 'array') {
        for (const [i, item] of value.entries())
            check(item, type.items, domain, `${path}[${i}]`);
    } else if (type.type === 'object') {
        for (const of of type.properties)
            if (of.name in value || !of.optional)
                check(value[of.name], of, domain, `${path}.${of.name}`);
        for (const key in value)
            if (!type.properties.some((of) => of.name === key))
                throw new Error(`${path}.${key} is unknown`);
    } else if (type.type === 'integer' ? !Number.isSafeInteger(value) : typeof value !== type.type) {
        throw new Error(`${path} is ${value}, not of type ${type.type}`);
    }
}

check(times, {$ref: 'Profile'}, 'Profiler', 'profile');
check(heap, {$ref: 'SamplingHeapProfile'}, 'HeapProfiler', 'profile');

const model = new CPUProfileDataModel(times);
let self = 0, chart = 0;
const nodes = [model.root];
while (nodes.length > 0) {
    const node = nodes.pop();
    self += node.self;
    nodes.push(...node.children);
}
model.forEachFrame(() => {}, (depth, node, sample, start, duration, own) => { chart += own; });
console.log(`self ${Math.round(self * 1000)} chart ${Math.round(chart * 1000)}`);
console.log(`bytes ${heap.samples.reduce((sum, sample) => sum + sample.size, 0)}`);
