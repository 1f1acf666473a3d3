# A linear model, a bootstrap in R's own language, a sort, a smoother, a distance matrix.
set.seed(1)
frame <- data.frame(x = rnorm(60000), z = rnorm(60000), g = factor(sample(letters, 60000, TRUE)))
frame$y <- 2 * frame$x - frame$z + rnorm(60000)
for (turn in 1:4) model <- lm(y ~ x * g + z, data = frame)
means <- sapply(1:4000, function(i) mean(sample(frame$y, 2000, TRUE)))
total <- 0
for (i in 1:6000000) total <- total + i %% 7
smooth <- loess(y ~ x, data = frame[1:3000, ])
tree <- hclust(dist(as.matrix(frame[1:2500, c("x", "z")])))
words <- sort(paste0("word", sample(200000)))
print(c(coef(model)[1:2], sd(means), total, smooth$n, length(tree$order)))
