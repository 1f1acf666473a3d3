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


threads = [threading.Thread(target=serve, args=(0.02 * i,)) for i in range(1, 6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
serve(2.05)

report = prod_profiler.generate_hourly_report()
print(report)
assert report["requests_processed"] == 6 and report["sla_violations"] == 1
for entry in prod_profiler.metrics_log:  # each request has its own latency
    assert 0 <= entry["user_facing_latency"] - entry["internal_latency"] < 0.05, entry
