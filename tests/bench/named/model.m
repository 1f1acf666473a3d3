% A linear system, a loop of Octave's own, sparse factors, text, an ODE.
rand('seed', 1);
a = rand(700); x = a \ rand(700, 4); e = eig(a(1:250, 1:250));
t = 0; for i = 1:1500000, t = t + mod(i, 7); end
s = sparse(1:20000, 1:20000, 4) + sprand(20000, 20000, 0.0001); y = s \ ones(20000, 1);
w = {}; for i = 1:20000, w{i} = sprintf('word%d', mod(i * 7919, 30011)); end
u = unique(w); c = cellfun(@(v) length(strrep(v, 'o', 'oo')), u);
[tt, yy] = ode45(@(t, y) [y(2); (1 - y(1)^2) * y(2) - y(1)], [0 60], [2 0]);
printf('%g %g %g %d %d %d\n', x(1), abs(e(1)), t, numel(u), sum(c), numel(tt));
