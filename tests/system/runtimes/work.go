// SPDX-License-Identifier: GPL-3.0-or-later
//
// Goroutines, one of which only preemption by SIGURG stops, C in the process, and a child.
package main

/*
#cgo LDFLAGS: -lm
#include <math.h>

static double sum_of_sines(int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += sin(i);
    return sum;
}
*/
import "C"

import (
	"fmt"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

func fibonacci(n int) int {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

func main() {
	var group sync.WaitGroup
	results := make([]int, 8)
	for i := range results {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			results[i] = fibonacci(28 + i%3)
		}(i)
	}
	group.Wait()
	done := make(chan bool)
	go func() {
		for {
			select {
			case <-done:
				return
			default:
			}
		}
	}()
	time.Sleep(50 * time.Millisecond)
	runtime.GC()
	close(done)
	output, err := exec.Command("echo", "child").Output()
	fmt.Println(results, float64(C.sum_of_sines(2000000)) > 0, string(output), err)
}
