# Blocks at known lines, in functions, generators, coroutines, threads, handlers and code that
# exec makes at the same addresses again and again; prints "FILE:LINE BLOCKS" for each.
import asyncio
import sys
import threading

SIZE = 100000
kept = [None] * 100000
count = 0
truth = {}
lock = threading.Lock()


def place(code, line):
    key = "%s:%d" % (code.co_filename.rsplit("/", 1)[-1], line)
    with lock:
        truth[key] = truth.get(key, 0) + 1
        global count
        count += 1
        return count - 1


def here():
    frame = sys._getframe(1)
    return place(frame.f_code, frame.f_lineno)


def function(n):
    for _ in range(n):
        kept[here()] = bytearray(SIZE)
        kept[here()] = bytearray(
            SIZE)


def deep(n):
    if n > 0:
        return deep(n - 1)
    kept[here()] = bytearray(SIZE)


def generator(n):
    for _ in range(n):
        kept[here()] = bytearray(SIZE)
        yield 1


def handler(n):
    for _ in range(n):
        try:
            raise ValueError
        except ValueError:
            kept[here()] = bytearray(SIZE)


def called_back(x):
    kept[here()] = bytearray(SIZE)
    return -x


async def coroutine(n):
    for _ in range(n):
        await asyncio.sleep(0)
        kept[here()] = bytearray(SIZE)


def made(n):
    for k in range(n):
        text = "\n" * (k % 300) + "kept[here()] = bytearray(SIZE)\n"
        exec(compile(text, "made.py", "exec"), globals())


async def together():
    await asyncio.gather(*[coroutine(5) for _ in range(4)])


function(50)
deep(20)
deep(400)
sum(generator(30))
handler(20)
sorted(range(40), key=called_back)
made(1500)
threads = [threading.Thread(target=function, args=(20,)) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
asyncio.run(together())
for key, blocks in sorted(truth.items()):
    print(key, blocks)
