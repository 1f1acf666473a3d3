# Four models: trees, a support-vector machine, clusters, boosting.
import numpy
from sklearn import cluster, datasets, ensemble, svm

values, classes = datasets.make_classification(4000, 20, n_informative=10, random_state=1)
forest = ensemble.RandomForestClassifier(60, random_state=1).fit(values, classes)
vectors = svm.SVC().fit(values, classes)
centres = cluster.KMeans(12, n_init=3, random_state=1).fit(values)
boosted = ensemble.GradientBoostingClassifier(n_estimators=40, random_state=1).fit(values, classes)
print(forest.score(values, classes), vectors.score(values, classes), centres.inertia_, boosted.score(values, classes))
