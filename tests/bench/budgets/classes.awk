# So many classes whose templates of the library take the compiler long: -v classes=COUNT.
BEGIN {
    split("map vector string regex functional algorithm", headers)
    for (i in headers)
        print "#include <" headers[i] ">"
    for (i = 0; i < classes; i++) {
        k = "K" i
        printf "struct %s { int v; bool operator<(const %s &o) const { return v < o.v; } };\n", k, k
        printf "std::map<%s, std::vector<std::string>> m%d;\n", k, i
        printf "void f%d()\n{\n    std::vector<%s> a;\n    std::sort(a.begin(), a.end());\n", i, k
        printf "    std::function<int(%s)> g = [](%s k) { return k.v; };\n", k, k
        printf "    for (auto &k : a)\n        m%d[k].push_back(std::to_string(g(k)));\n}\n", i
    }
}
