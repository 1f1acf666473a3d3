# SPDX-License-Identifier: GPL-3.0-or-later
#
# A server of asyncio whose handlers hold its loop, with the times that it measured itself.
#
#     turns.py REQUESTS
#
# It serves so many requests, one at a time, of a client in a thread of its own, and prints a line a
# handler: its name, the calls, and the longest in ns.
import asyncio
import sys
import threading
import time
import urllib.request

longest = {}
calls = {}


def note(name, start):
    took = time.perf_counter_ns() - start
    longest[name] = max(longest.get(name, 0), took)
    calls[name] = calls.get(name, 0) + 1


async def do_sleep(nap):
    start = time.perf_counter_ns()
    time.sleep(nap)  # holds the loop: the line with most of it
    note("serve", start)


async def do_spin(seconds):
    start = time.perf_counter_ns()
    end = time.process_time() + seconds
    total = 0
    while time.process_time() < end:
        total += sum(range(100))
    note("serve", start)
    return total


async def do_await():
    await asyncio.sleep(0.03)  # gives the loop back


async def refresh():
    while True:
        await asyncio.sleep(0.3)
        start = time.perf_counter_ns()
        time.sleep(0.08)
        note("refresh", start)


async def serve(reader, writer):
    line = await reader.readline()
    while (await reader.readline()).strip():
        pass
    path = line.split()[1].decode()
    if path == "/sleep":
        await do_sleep(0.05)
    elif path == "/long":
        await do_sleep(0.8)
    elif path == "/spin":
        await do_spin(0.06)
    elif path == "/await":
        await do_await()
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
    await writer.drain()
    writer.close()


def ask(port, count, loop, stop):
    paths = ["/fast", "/sleep", "/await", "/spin", "/long"]
    for i in range(count):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{paths[i % len(paths)]}") as answer:
            answer.read()
        time.sleep(0.002)
    loop.call_soon_threadsafe(stop.set)


async def main():
    stop = asyncio.Event()
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    client = threading.Thread(
        target=ask, args=(port, int(sys.argv[1]), asyncio.get_running_loop(), stop))
    client.start()
    other = asyncio.create_task(refresh())
    await stop.wait()
    client.join()
    other.cancel()
    server.close()
    for name in sorted(calls):
        print(name, calls[name], longest[name])


asyncio.run(main())
