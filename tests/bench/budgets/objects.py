# Objects to text and back: a storm of small blocks.
import json
import sys

for turn in range(int(sys.argv[1])):
    rows = [{"id": k, "name": f"n{k}", "values": [k * 0.5, str(k)]} for k in range(2000)]
    text = json.dumps(rows)
    back = json.loads(text)
    back.sort(key=lambda row: row["name"])
print(len(text))
