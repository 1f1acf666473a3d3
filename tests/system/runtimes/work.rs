// SPDX-License-Identifier: GPL-3.0-or-later
//
// Threads with signal stacks of their own, and a panic that is caught.
use std::collections::HashMap;
use std::thread;

fn work(count: u64) -> u64 {
    let mut sums = HashMap::new();
    for i in 0..count {
        *sums.entry(i % 1000).or_insert(0u64) += i * i % 7;
    }
    sums.values().sum()
}

fn main() {
    let threads: Vec<_> = (0..8).map(|i| thread::spawn(move || work(4000000 + i))).collect();
    let sum: u64 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    let caught = std::panic::catch_unwind(|| {
        let none: Vec<i32> = vec![];
        none[std::env::args().count()]
    });
    println!("{} {}", sum, caught.is_err());
}
