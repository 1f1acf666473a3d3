// SPDX-License-Identifier: GPL-3.0-or-later
//
// Threads, exceptions that the runtime makes of SIGSEGV, and a child.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class Work {
    static long work(int count) {
        Map<Integer, Long> sums = new HashMap<>();
        for (int i = 0; i < count; i++)
            sums.merge(i % 1000, (long) i * i % 7, Long::sum);
        return sums.values().stream().mapToLong(x -> x).sum();
    }

    static int deep(int n) {
        return n == 0 ? 0 : 1 + deep(n + 1);
    }

    static int fail(Object none) {
        int caught = 0;
        for (int i = 0; i < 20; i++) {
            try {
                none.hashCode();
            } catch (NullPointerException exception) {
                caught++;
            }
            try {
                deep(1);
            } catch (StackOverflowError error) {
                caught++;
            }
        }
        return caught;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<Long>> results = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            final int count = 300000 + i;
            results.add(threads.submit(() -> work(count)));
        }
        long sum = 0;
        for (Future<Long> result : results)
            sum += result.get();
        threads.shutdown();
        Process child = new ProcessBuilder("echo", "child").start();
        child.waitFor();
        System.out.println(sum + " " + fail(null) + " " + new String(child.getInputStream().readAllBytes()));
    }
}
