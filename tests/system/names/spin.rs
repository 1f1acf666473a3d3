// SPDX-License-Identifier: GPL-3.0-or-later
//
// A method of a trait takes nearly all processor time, half a second.
use std::hint::black_box;
use std::time::{Duration, Instant};

trait Burn {
    fn burn(&self);
}

struct Fire<T>(T);

impl<T: Copy> Burn for Fire<T> {
    #[inline(never)]
    fn burn(&self) {
        for i in 0..100_000u64 {
            black_box(i.wrapping_mul(7));
        }
    }
}

fn main() {
    let start = Instant::now();
    let fire = Fire(1u8);
    while start.elapsed() < Duration::from_millis(700) {
        black_box(&fire).burn();
    }
}
