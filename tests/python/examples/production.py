# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of production: regressions in CI, and a service whose requests overlap."""

import json
import threading
import time
import uuid

from libtprof import PerformanceRegressionDetector, ProductionProfiler


def train_model():
    time.sleep(0.05)


with open("baseline_metrics.json", "w", encoding="utf-8") as file:
    json.dump({"model_training": {"wall_time_s": 0.03}}, file)

# Usage in CI/CD
detector = PerformanceRegressionDetector("baseline_metrics.json")

with detector.check_regression("model_training"):
    train_model()

assert [each["operation"] for each in detector.regressions] == ["model_training"]
assert 0.05 <= detector.regressions[0]["current_s"] < 0.5

# Usage in production
prod_profiler = ProductionProfiler()
generate_request_id = uuid.uuid4


class Application:
    def route(self, path):
        return lambda function: function


class Predictor:
    def predict(self, request):
        time.sleep(request["seconds"])
        return request["seconds"]


app, model = Application(), Predictor()
request = threading.local()


@app.route("/predict")
def predict():
    request_id = generate_request_id()

    start_time = time.time()
    with prod_profiler.profile_request(request_id):
        prediction = model.predict(request.json)
    end_time = time.time()

    prod_profiler.log_metrics(request_id, end_time - start_time)
    return {"prediction": prediction}


def serve(seconds):
    request.json = {"seconds": seconds}
    assert predict() == {"prediction": seconds}


slept = [0.02, 0.04, 0.06, 0.08, 0.1, 2.05]
threads = [threading.Thread(target=serve, args=(seconds,)) for seconds in slept[:-1]]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
serve(slept[-1])

report = prod_profiler.generate_hourly_report()
print(report)
assert report["requests_processed"] == 6 and report["sla_violations"] == 1
served = sorted(prod_profiler.metrics_log, key=lambda entry: entry["internal_latency"])
for entry, seconds in zip(served, slept):  # each request has its own latency
    assert seconds <= entry["internal_latency"] <= entry["user_facing_latency"], entry
