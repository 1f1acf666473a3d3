/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs in C++ and libstdc++, and their repaired twins, which print the same.
 *
 * usage: cpp NAME planted|repaired ROUNDS
 */
#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <cctype>
#include <charconv>
#include <chrono>
#include <codecvt>
#include <complex>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cxxabi.h>
#include <debug/vector>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <list>
#include <locale>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <regex>
#include <set>
#include <shared_mutex>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#define PLANT static __attribute__((noinline)) long

/* ---- what the plants work on ---------------------------------------------------------------- */

static std::vector<std::string> make_keys()
{
    std::vector<std::string> keys;

    for (int i = 0; i < 2000; i++)
        keys.push_back("customers/accounts/number-" + std::to_string(i * 7919 % 2000));
    return keys;
}

static std::vector<int> make_numbers(int count)
{
    std::vector<int> numbers;
    unsigned number = 1;

    for (int i = 0; i < count; i++)
        numbers.push_back(static_cast<int>((number = number * 1664525 + 1013904223) >> 8));
    return numbers;
}

static const std::vector<std::string> keys = make_keys();
static const std::vector<int> numbers = make_numbers(20000);
static const std::string text = "the quick brown fox jumps over the lazy dog, and then the dog, "
                                "which is not as lazy as they say, runs after the fox";

/* ---- trees, lists, tables ------------------------------------------------------------------- */

template <class Map> static Map count_keys()
{
    Map counts;

    for (const std::string &key : keys)
        counts[key] = 1;
    return counts;
}

PLANT string_map_planted()
{
    static const auto counts = count_keys<std::map<std::string, long>>();
    long sum = 0;

    for (const std::string &key : keys)
        sum += counts.find(key)->second;
    return sum;
}

PLANT string_map_repaired()
{
    static const auto counts = count_keys<std::unordered_map<std::string, long>>();
    long sum = 0;

    for (const std::string &key : keys)
        sum += counts.find(key)->second;
    return sum;
}

PLANT tree_planted()
{
    static const std::set<int> all(numbers.begin(), numbers.end());
    long found = 0;

    for (int number : numbers)
        found += all.count(number);
    return found;
}

PLANT tree_repaired()
{
    static const std::unordered_set<int> all(numbers.begin(), numbers.end());
    long found = 0;

    for (int number : numbers)
        found += all.count(number);
    return found;
}

PLANT tree_walk_planted()
{
    static const std::set<int> all(numbers.begin(), numbers.end());
    long sum = 0;

    for (int number : all)
        sum += number;
    return sum;
}

static std::vector<int> sort_numbers()
{
    std::vector<int> all = numbers;

    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

PLANT tree_walk_repaired()
{
    static const std::vector<int> all = sort_numbers();
    long sum = 0;

    for (int number : all)
        sum += number;
    return sum;
}

PLANT tree_search_planted()
{
    static const std::set<int> all(numbers.begin(), numbers.begin() + 2000);

    return *std::lower_bound(all.begin(), all.end(), numbers[7]);
}

PLANT tree_search_repaired()
{
    static const std::set<int> all(numbers.begin(), numbers.begin() + 2000);

    return *all.lower_bound(numbers[7]);
}

PLANT distance_planted()
{
    static const std::set<int> all(numbers.begin(), numbers.begin() + 2000);

    return std::distance(all.begin(), all.find(numbers[7]));
}

PLANT distance_repaired()
{
    static const std::set<int> tree(numbers.begin(), numbers.begin() + 2000);
    static const std::vector<int> all(tree.begin(), tree.end());

    return std::lower_bound(all.begin(), all.end(), numbers[7]) - all.begin();
}

PLANT list_walk_planted()
{
    static const std::list<int> all(numbers.begin(), numbers.end());
    long sum = 0;

    for (int number : all)
        sum += number;
    return sum;
}

PLANT list_walk_repaired()
{
    long sum = 0;

    for (int number : numbers)
        sum += number;
    return sum;
}

PLANT list_nodes_planted()
{
    std::list<int> all;

    for (int i = 0; i < 1000; i++)
        all.push_back(i);
    return all.back();
}

PLANT list_nodes_repaired()
{
    std::vector<int> all;

    all.reserve(1000);
    for (int i = 0; i < 1000; i++)
        all.push_back(i);
    return all.back();
}

PLANT list_sort_planted()
{
    static std::list<int> all;

    all.assign(numbers.begin(), numbers.end());
    all.sort();
    return all.front();
}

PLANT list_sort_repaired()
{
    static std::vector<int> all;

    all.assign(numbers.begin(), numbers.end());
    std::sort(all.begin(), all.end());
    return all.front();
}

/* What a flat hash table does: elements side by side, the next place is tried if one is taken. */
class flat_map
{
  public:
    flat_map() : places(2048)
    {
    }

    void clear()
    {
        std::fill(places.begin(), places.end(), place{-1, 0});
        count = 0;
    }

    void emplace(int key, int value)
    {
        size_t at = static_cast<size_t>(key) * 0x9e3779b97f4a7c15 >> 53;

        while (places[at].key != -1 && places[at].key != key)
            at = (at + 1) % 2048;
        count += places[at].key == -1;
        places[at] = {key, value};
    }

    size_t size() const
    {
        return count;
    }

  private:
    struct place {
        int key, value;
    };

    std::vector<place> places;
    size_t count = 0;
};

PLANT hash_nodes_planted()
{
    static std::unordered_map<int, int> all(1000);

    all.clear();
    for (int i = 0; i < 1000; i++)
        all.emplace(i, i);
    return all.size();
}

PLANT hash_nodes_repaired()
{
    static flat_map all;

    all.clear();
    for (int i = 0; i < 1000; i++)
        all.emplace(i, i);
    return all.size();
}

PLANT deque_making_planted()
{
    std::stack<int> open;

    open.push(1);
    return open.top();
}

PLANT deque_making_repaired()
{
    static std::stack<int, std::vector<int>> open;
    long top;

    open.push(1);
    top = open.top();
    open.pop();
    return top;
}

template <class Numbers> static __attribute__((noinline)) long sum_steps(const Numbers &all)
{
    long sum = 0;

    for (size_t i = 0; i < all.size(); i++)
        sum += all[i];
    return sum;
}

PLANT deque_index_planted()
{
    static const std::deque<int> all(numbers.begin(), numbers.end());

    return sum_steps(all);
}

PLANT deque_index_repaired()
{
    return sum_steps(numbers);
}

PLANT debug_mode_planted()
{
    static const std::__debug::vector<int> all(numbers.begin(), numbers.end());
    long sum = 0;

    for (auto at = all.begin(); at != all.end(); ++at)
        sum += *at;
    return sum;
}

PLANT debug_mode_repaired()
{
    long sum = 0;

    for (auto at = numbers.begin(); at != numbers.end(); ++at)
        sum += *at;
    return sum;
}

/* ---- copies --------------------------------------------------------------------------------- */

static __attribute__((noinline)) long take_middle_of_copy(std::vector<int> all)
{
    return all[all.size() / 2];
}

static __attribute__((noinline)) long take_middle(const std::vector<int> &all)
{
    return all[all.size() / 2];
}

PLANT vector_copy_planted()
{
    return take_middle_of_copy(numbers);
}

PLANT vector_copy_repaired()
{
    return take_middle(numbers);
}

static __attribute__((noinline)) long measure_copy(std::string words)
{
    return words.size();
}

static __attribute__((noinline)) long measure(const std::string &words)
{
    return words.size();
}

PLANT string_copy_planted()
{
    return measure_copy(text);
}

PLANT string_copy_repaired()
{
    return measure(text);
}

static __attribute__((noinline)) long measure_view(std::string_view words)
{
    return words.size();
}

PLANT string_from_chars_planted()
{
    return measure(
        "a literal, such as a statement of SQL or a line of a log, which is much longer than "
        "the room for sixteen characters in a std::string");
}

PLANT string_from_chars_repaired()
{
    return measure_view(
        "a literal, such as a statement of SQL or a line of a log, which is much longer "
        "than the room for sixteen characters in a std::string");
}

static __attribute__((noinline)) long take_first_of_copy(std::map<int, int> all)
{
    return all.begin()->second;
}

static __attribute__((noinline)) long take_first(const std::map<int, int> &all)
{
    return all.begin()->second;
}

static std::map<int, int> make_squares()
{
    std::map<int, int> squares;

    for (int i = 0; i < 300; i++)
        squares[i] = i * i;
    return squares;
}

PLANT map_copy_planted()
{
    static const std::map<int, int> squares = make_squares();

    return take_first_of_copy(squares);
}

PLANT map_copy_repaired()
{
    static const std::map<int, int> squares = make_squares();

    return take_first(squares);
}

PLANT initializer_planted()
{
    static int turn;

    return std::unordered_map<int, int>{{0, 31}, {1, 28}, {2, 31}, {3, 30}}.at(++turn % 4);
}

PLANT initializer_repaired()
{
    static const std::unordered_map<int, int> days{{0, 31}, {1, 28}, {2, 31}, {3, 30}};
    static int turn;

    return days.at(++turn % 4);
}

PLANT zeroing_planted()
{
    std::vector<int> places(100000);

    places[numbers[3] % 100000] = 1;
    return places[numbers[3] % 100000];
}

PLANT zeroing_repaired()
{
    static std::vector<int> places(100000);

    places[numbers[3] % 100000] = 1;
    return places[numbers[3] % 100000];
}

PLANT nested_planted()
{
    std::vector<std::vector<double>> matrix(300, std::vector<double>(4));

    matrix[7][3] = 1;
    return static_cast<long>(matrix[7][3]);
}

PLANT nested_repaired()
{
    std::vector<double> matrix(300 * 4);

    matrix[7 * 4 + 3] = 1;
    return static_cast<long>(matrix[7 * 4 + 3]);
}

PLANT erase_front_planted()
{
    static std::vector<int> waiting;
    long first;

    if (waiting.empty())
        waiting = numbers;
    first = waiting.front();
    waiting.erase(waiting.begin());
    return first;
}

PLANT erase_front_repaired()
{
    static std::deque<int> waiting;
    long first;

    if (waiting.empty())
        waiting.assign(numbers.begin(), numbers.end());
    first = waiting.front();
    waiting.pop_front();
    return first;
}

PLANT resort_planted()
{
    static std::vector<int> sorted;
    static size_t next;

    if (sorted.size() == 2000)
        sorted.clear();
    sorted.push_back(numbers[next++ % numbers.size()]);
    std::sort(sorted.begin(), sorted.end());
    return sorted.front();
}

PLANT resort_repaired()
{
    static std::vector<int> sorted;
    static size_t next;
    int number = numbers[next++ % numbers.size()];

    if (sorted.size() == 2000)
        sorted.clear();
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), number), number);
    return sorted.front();
}

struct limits {
    long least, most, step, count, last;
};

static __attribute__((noinline)) long ask_copy(std::function<long(long)> question, long number)
{
    return question(number);
}

static __attribute__((noinline)) long ask(const std::function<long(long)> &question, long number)
{
    return question(number);
}

static const std::function<long(long)> find_step = [steps =
                                                        std::array<long, 64>{1, 5}](long number) {
    return steps[static_cast<size_t>(number)];
};

PLANT function_copy_planted()
{
    return ask_copy(find_step, 1);
}

PLANT function_copy_repaired()
{
    return ask(find_step, 1);
}

static std::vector<std::shared_ptr<limits>> share_limits()
{
    std::vector<std::shared_ptr<limits>> all;

    std::thread([] {}).join(); /* from now on the counts are atomic */
    for (int i = 0; i < 1000; i++)
        all.push_back(std::make_shared<limits>(limits{i, 0, 0, 0, 0}));
    return all;
}

static __attribute__((noinline)) long take_least_of_copy(std::shared_ptr<limits> limits)
{
    return limits->least;
}

static __attribute__((noinline)) long take_least(const limits &limits)
{
    return limits.least;
}

PLANT shared_copy_planted()
{
    static const auto all = share_limits();
    long sum = 0;

    for (const auto &each : all)
        sum += take_least_of_copy(each);
    return sum;
}

PLANT shared_copy_repaired()
{
    static const auto all = share_limits();
    long sum = 0;

    for (const auto &each : all)
        sum += take_least(*each);
    return sum;
}

PLANT weak_lock_planted()
{
    static const auto all = share_limits();
    static const std::vector<std::weak_ptr<limits>> weak(all.begin(), all.end());
    long sum = 0;

    for (const auto &each : weak)
        sum += each.lock()->least;
    return sum;
}

PLANT weak_lock_repaired()
{
    static const auto all = share_limits();
    long sum = 0;

    for (const auto &each : all)
        sum += each->least;
    return sum;
}

static std::shared_ptr<limits> current = std::make_shared<limits>(limits{1, 0, 0, 0, 0});

PLANT atomic_shared_planted()
{
    long sum = 0;

    for (int i = 0; i < 1000; i++)
        sum += std::atomic_load(&current)->least;
    return sum;
}

PLANT atomic_shared_repaired()
{
    const std::shared_ptr<limits> mine = std::atomic_load(&current);
    long sum = 0;

    for (int i = 0; i < 1000; i++)
        sum += take_least(*mine);
    return sum;
}

PLANT any_planted()
{
    std::vector<std::any> all;

    all.reserve(1000);
    for (int i = 0; i < 1000; i++)
        all.emplace_back(limits{i, 0, 0, 0, 0});
    return std::any_cast<const limits &>(all[999]).least;
}

PLANT any_repaired()
{
    std::vector<std::variant<long, limits>> all;

    all.reserve(1000);
    for (int i = 0; i < 1000; i++)
        all.emplace_back(limits{i, 0, 0, 0, 0});
    return std::get<limits>(all[999]).least;
}

/* ---- texts ---------------------------------------------------------------------------------- */

PLANT substr_planted()
{
    size_t most = 0;

    for (size_t i = 0; i + 60 < text.size(); i++)
        most = std::max(most, text.substr(i, 60).size());
    return most;
}

PLANT substr_repaired()
{
    const std::string_view view = text;
    size_t most = 0;

    for (size_t i = 0; i + 60 < view.size(); i++)
        most = std::max(most, view.substr(i, 60).size());
    return most;
}

PLANT string_plus_planted()
{
    std::string all;

    for (int i = 0; i < 1000; i++)
        all = all + "word " + "and ";
    return all.size();
}

PLANT string_plus_repaired()
{
    std::string all;

    all.reserve(9000);
    for (int i = 0; i < 1000; i++)
        all.append("word ").append("and ");
    return all.size();
}

PLANT string_growth_planted()
{
    std::string all;

    for (int i = 0; i < 10; i++)
        all.append("and some words more, ");
    return all.size();
}

PLANT string_growth_repaired()
{
    static std::string all;

    all.clear();
    for (int i = 0; i < 10; i++)
        all.append("and some words more, ");
    return all.size();
}

PLANT string_shift_planted()
{
    static std::string rest;
    long letter;

    if (rest.empty())
        rest.assign(100000, 'x');
    letter = rest[0];
    rest.erase(0, 1);
    return letter;
}

PLANT string_shift_repaired()
{
    static const std::string all(100000, 'x');
    static std::string_view rest;
    long letter;

    if (rest.empty())
        rest = all;
    letter = rest[0];
    rest.remove_prefix(1);
    return letter;
}

PLANT first_of_planted()
{
    return text.find_first_of(";:!?#|");
}

PLANT first_of_repaired()
{
    return static_cast<size_t>(strcspn(text.c_str(), ";:!?#|")) < text.size() ? 0 : -1;
}

static std::string make_haystack()
{
    std::string all;

    while (all.size() < 20000)
        all += text;
    return all + "needle";
}

static const std::string haystack = make_haystack();
static const std::string needle = "needle";

PLANT search_planted()
{
    return std::search(haystack.begin(), haystack.end(), needle.begin(), needle.end()) -
           haystack.begin();
}

PLANT search_repaired()
{
    return static_cast<const char *>(
               memmem(haystack.data(), haystack.size(), needle.data(), needle.size())) -
           haystack.data();
}

static std::unordered_map<std::string_view, long> index_keys()
{
    std::unordered_map<std::string_view, long> index;

    for (size_t i = 0; i < keys.size(); i++)
        index.emplace(keys[i], i);
    return index;
}

PLANT find_planted()
{
    return std::find(keys.begin(), keys.end(), keys[1777]) - keys.begin();
}

PLANT find_repaired()
{
    static const auto index = index_keys();

    return index.find(keys[1777])->second;
}

PLANT cctype_planted()
{
    long sum = 0;

    for (unsigned char letter : haystack)
        sum += std::toupper(letter);
    return sum;
}

PLANT cctype_repaired()
{
    long sum = 0;

    for (unsigned char letter : haystack)
        sum += letter >= 'a' && letter <= 'z' ? letter - 32 : letter;
    return sum;
}

PLANT facet_planted()
{
    static const std::locale classic = std::locale::classic();
    long sum = 0;

    for (char letter : text)
        sum += std::toupper(letter, classic);
    return sum;
}

PLANT facet_repaired()
{
    static const auto &facet = std::use_facet<std::ctype<char>>(std::locale::classic());
    long sum = 0;

    for (char letter : text)
        sum += facet.toupper(letter);
    return sum;
}

PLANT locale_planted()
{
    return std::locale("C.UTF-8").name().size();
}

PLANT locale_repaired()
{
    static const std::locale locale("C.UTF-8");

    return locale.name().size();
}

static const std::wstring wide(200, L'w');

PLANT convert_planted()
{
    return std::wstring_convert<std::codecvt_utf8<wchar_t>>().to_bytes(wide).size();
}

PLANT convert_repaired()
{
    static char bytes[1000];
    long size = 0;

    for (wchar_t letter : wide)
        if (letter < 0x80)
            bytes[size++] = static_cast<char>(letter);
    return size;
}

PLANT regex_split_planted()
{
    static const std::regex space("\\s+");

    return std::distance(std::sregex_token_iterator(text.begin(), text.end(), space, -1),
                         std::sregex_token_iterator());
}

PLANT regex_split_repaired()
{
    long words = 1;

    for (size_t at = 0; (at = text.find(' ', at)) != text.npos; at++)
        words++;
    return words;
}

PLANT regex_replace_planted()
{
    static const std::regex fox("fox");

    return std::regex_replace(text, fox, "hen").size();
}

PLANT regex_replace_repaired()
{
    std::string changed = text;

    for (size_t at = 0; (at = changed.find("fox", at)) != changed.npos; at += 3)
        memcpy(&changed[at], "hen", 3);
    return changed.size();
}

/* ---- numbers as texts ----------------------------------------------------------------------- */

PLANT to_string_planted()
{
    return std::to_string(1234.5678).size();
}

PLANT to_string_repaired()
{
    char digits[64];

    return std::to_chars(digits, digits + sizeof digits, 1234.5678, std::chars_format::fixed, 6)
               .ptr -
           digits;
}

static const std::string digits = "1234.5678";

PLANT stod_planted()
{
    return static_cast<long>(std::stod(digits));
}

PLANT stod_repaired()
{
    double number = 0;

    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return static_cast<long>(number);
}

/* ---- streams -------------------------------------------------------------------------------- */

static const char *write_file()
{
    static const char path[] = "words.txt";
    std::ofstream file(path);

    for (int i = 0; i < 1000; i++)
        file << text << '\n';
    return path;
}

static const char *path_of_file()
{
    static const char *path = write_file();

    return path;
}

PLANT cin_planted()
{
    static FILE *input = freopen(path_of_file(), "r", stdin);
    std::string line;
    long lines = 0;

    rewind(input);
    std::cin.clear();
    while (std::getline(std::cin, line))
        lines++;
    return lines;
}

PLANT cin_repaired()
{
    static FILE *input = freopen(path_of_file(), "r", stdin);
    static bool is_apart = std::ios::sync_with_stdio(false);
    std::string line;
    long lines = 0;

    std::cin.clear();
    std::cin.seekg(0);
    while (std::getline(std::cin, line))
        lines++;
    return input && is_apart ? lines : 0;
}

static std::string read_whole(const char *path)
{
    std::ifstream file(path, std::ios::ate);
    std::string all(static_cast<size_t>(file.tellg()), '\0');

    file.seekg(0);
    file.read(&all[0], static_cast<std::streamsize>(all.size()));
    return all;
}

PLANT get_planted()
{
    std::ifstream file(path_of_file());
    long lines = 0;

    for (int letter; (letter = file.get()) != EOF;)
        lines += letter == '\n';
    return lines;
}

PLANT get_repaired()
{
    std::ifstream file(path_of_file());
    std::streambuf *buffer = file.rdbuf();
    long lines = 0;

    for (int letter; (letter = buffer->sbumpc()) != EOF;)
        lines += letter == '\n';
    return lines;
}

PLANT words_planted()
{
    std::ifstream file(path_of_file());
    std::string word;
    long words = 0;

    while (file >> word)
        words++;
    return words;
}

PLANT words_repaired()
{
    const std::string all = read_whole(path_of_file());
    long words = 0;
    char last = ' ';

    for (char letter : all) {
        words += last <= ' ' && letter > ' ';
        last = letter;
    }
    return words;
}

PLANT put_planted()
{
    static std::ofstream file("/dev/null");

    for (char letter : text)
        file << letter;
    return file.good();
}

PLANT put_repaired()
{
    static std::ofstream file("/dev/null");
    std::string line;

    for (char letter : text)
        line.push_back(letter);
    file << line;
    return file.good();
}

PLANT whole_planted()
{
    std::ifstream file(path_of_file());

    return std::string(std::istreambuf_iterator<char>(file), {}).size();
}

PLANT whole_repaired()
{
    return read_whole(path_of_file()).size();
}

PLANT open_planted()
{
    std::ofstream file("log.txt", std::ios::app);

    file << 'x';
    return file.good();
}

PLANT open_repaired()
{
    static std::ofstream file("log.txt", std::ios::app);

    file << 'x';
    return file.good();
}

PLANT tell_planted()
{
    static std::ifstream file(path_of_file());
    long sum = 0, begin, end;

    file.clear();
    file.seekg(0);
    for (std::string line; begin = file.tellg(), std::getline(file, line); sum += begin ^ end)
        end = file.tellg();
    return sum;
}

PLANT tell_repaired()
{
    static std::ifstream file(path_of_file());
    long sum = 0, begin = 0, end;

    file.clear();
    file.seekg(0);
    for (std::string line; std::getline(file, line); sum += begin ^ end, begin = end)
        end = begin + static_cast<long>(line.size()) + 1;
    return sum;
}

PLANT str_planted()
{
    static std::ostringstream stream(haystack);

    return stream.str().size();
}

PLANT str_repaired()
{
    static std::string all(haystack);

    return all.size();
}

PLANT put_time_planted()
{
    static std::ostringstream stream;
    const time_t now = 1795934387;
    static const struct tm parts = *gmtime(&now);

    stream.seekp(0);
    stream << std::put_time(&parts, "%Y-%m-%d %H:%M:%S");
    return stream.tellp();
}

PLANT put_time_repaired()
{
    static char line[64];
    const time_t now = 1795934387;
    static const struct tm parts = *gmtime(&now);

    return strftime(line, sizeof line, "%Y-%m-%d %H:%M:%S", &parts);
}

PLANT get_time_planted()
{
    static std::istringstream stream("2026-11-29 09:26:45");
    struct tm parts = {};

    stream.clear();
    stream.seekg(0);
    stream >> std::get_time(&parts, "%Y-%m-%d %H:%M:%S");
    return parts.tm_mday;
}

PLANT get_time_repaired()
{
    struct tm parts = {};

    strptime("2026-11-29 09:26:45", "%Y-%m-%d %H:%M:%S", &parts);
    return parts.tm_mday;
}

/* ---- files ---------------------------------------------------------------------------------- */

static std::filesystem::path make_folder()
{
    const std::filesystem::path folder = "folder";

    std::filesystem::create_directory(folder);
    for (int i = 0; i < 100; i++)
        std::ofstream(folder / std::to_string(i));
    return folder;
}

static const std::filesystem::path &folder()
{
    static const std::filesystem::path path = make_folder();

    return path;
}

PLANT file_status_planted()
{
    long files = 0;

    for (const auto &entry : std::filesystem::directory_iterator(folder()))
        files += std::filesystem::is_regular_file(entry.path());
    return files;
}

PLANT file_status_repaired()
{
    long files = 0;

    for (const auto &entry : std::filesystem::directory_iterator(folder()))
        files += entry.is_regular_file();
    return files;
}

PLANT path_planted()
{
    return std::filesystem::path("/usr/share/doc/packages/some/readme.txt").extension() == ".txt";
}

PLANT path_repaired()
{
    const std::string_view path = "/usr/share/doc/packages/some/readme.txt";

    return path.substr(path.rfind('.')) == ".txt";
}

PLANT canonical_planted()
{
    return std::filesystem::canonical(folder()).is_absolute();
}

PLANT canonical_repaired()
{
    static const std::filesystem::path whole = std::filesystem::canonical(folder());

    return whole.is_absolute();
}

/* ---- types and exceptions ------------------------------------------------------------------- */

struct shape {
    virtual ~shape() = default;
    virtual bool is_circle() const
    {
        return false;
    }
};

struct square : shape {
};

struct circle : shape {
    bool is_circle() const override
    {
        return true;
    }
};

static std::vector<std::unique_ptr<shape>> make_shapes()
{
    std::vector<std::unique_ptr<shape>> shapes;

    for (int i = 0; i < 1000; i++)
        if (i % 3 == 0)
            shapes.push_back(std::make_unique<circle>());
        else
            shapes.push_back(std::make_unique<square>());
    return shapes;
}

static const auto shapes = make_shapes();

PLANT dynamic_cast_planted()
{
    long circles = 0;

    for (const auto &each : shapes)
        circles += dynamic_cast<const circle *>(each.get()) != nullptr;
    return circles;
}

PLANT dynamic_cast_repaired()
{
    long circles = 0;

    for (const auto &each : shapes)
        circles += each->is_circle();
    return circles;
}

static std::string demangle(const char *mangled)
{
    int status;
    char *plain = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
    std::string name = plain;

    free(plain);
    return name;
}

PLANT demangle_planted()
{
    int status;

    char *name = abi::__cxa_demangle(typeid(*shapes[0]).name(), nullptr, nullptr, &status);
    long first = name[0];

    free(name);
    return first;
}

PLANT demangle_repaired()
{
    static std::unordered_map<std::type_index, std::string> names;
    std::string &name = names[typeid(*shapes[0])];

    if (name.empty())
        name = demangle(typeid(*shapes[0]).name());
    return name[0];
}

PLANT stoi_throw_planted()
{
    try {
        return std::stoi(text);
    } catch (const std::invalid_argument &) {
        return -1;
    }
}

PLANT stoi_throw_repaired()
{
    int number = -1;

    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

PLANT at_throw_planted()
{
    try {
        return numbers.at(20001);
    } catch (const std::out_of_range &) {
        return -1;
    }
}

PLANT at_throw_repaired()
{
    const size_t place = 20001;

    return place < numbers.size() ? numbers[place] : -1;
}

PLANT bad_cast_planted()
{
    try {
        return dynamic_cast<const circle &>(*shapes[1]).is_circle();
    } catch (const std::bad_cast &) {
        return 0;
    }
}

PLANT bad_cast_repaired()
{
    const auto *found = dynamic_cast<const circle *>(shapes[1].get());

    return found && found->is_circle();
}

static const std::variant<long, std::string> setting = "some text";

PLANT bad_access_planted()
{
    try {
        return std::get<long>(setting);
    } catch (const std::bad_variant_access &) {
        return -1;
    }
}

PLANT bad_access_repaired()
{
    const long *number = std::get_if<long>(&setting);

    return number ? *number : -1;
}

static __attribute__((noinline)) void refuse_first()
{
    throw std::runtime_error("no");
}

static __attribute__((noinline)) void refuse(int depth)
{
    try {
        if (depth == 0)
            refuse_first();
        else
            refuse(depth - 1);
    } catch (...) {
        throw;
    }
}

PLANT rethrow_planted()
{
    try {
        refuse(20);
    } catch (const std::runtime_error &) {
        return 1;
    }
    return 0;
}

static __attribute__((noinline)) bool is_refused(int depth)
{
    return depth == 0 || is_refused(depth - 1);
}

PLANT rethrow_repaired()
{
    return is_refused(20);
}

/* ---- numbers -------------------------------------------------------------------------------- */

PLANT seeding_planted()
{
    static unsigned seed;
    std::seed_seq seeds{seed++, 4711u};

    return std::mt19937(seeds)() != 1;
}

PLANT seeding_repaired()
{
    static std::mt19937 engine(4711);

    return engine() != 1;
}

static const std::vector<double> weights(100, 0.5);

PLANT discrete_planted()
{
    static std::mt19937 engine(1);

    return std::discrete_distribution<int>(weights.begin(), weights.end())(engine) >= 0;
}

PLANT discrete_repaired()
{
    static std::mt19937 engine(1);
    static std::discrete_distribution<int> distribution(weights.begin(), weights.end());

    return distribution(engine) >= 0;
}

/* Near 1, whatever is drawn. */
static const std::complex<double> factor(numbers[0] < 0 ? 2 : .9999, .0001);

PLANT complex_quotient_planted()
{
    std::complex<double> state(1, 1);

    for (int i = 0; i < 100; i++)
        state = (state + 1.0) / factor;
    return state.real() > 0;
}

PLANT complex_quotient_repaired()
{
    static const std::complex<double> inverse = 1.0 / factor;
    std::complex<double> state(1, 1);

    for (int i = 0; i < 100; i++) {
        state += 1.0;
        state = {state.real() * inverse.real() - state.imag() * inverse.imag(),
                 state.real() * inverse.imag() + state.imag() * inverse.real()};
    }
    return state.real() > 0;
}

static const std::complex<double> unknown(0, numbers[0] < 0 ? 0 : NAN);

PLANT complex_product_planted()
{
    static std::complex<double> state = unknown;

    for (int i = 0; i < 100; i++)
        state = state * factor + 1.0;
    return state.real() != 0;
}

PLANT complex_product_repaired()
{
    static std::complex<double> state = std::isnan(unknown.imag()) ? 0 : unknown;

    for (int i = 0; i < 100; i++)
        state = state * factor + 1.0;
    return state.real() != 0;
}

PLANT complex_power_planted()
{
    static std::complex<double> state(.999, .001);

    state += 1e-9;
    return std::pow(state, 3.0).real() > 0;
}

PLANT complex_power_repaired()
{
    static std::complex<double> state(.999, .001);

    state += 1e-9;
    return (state * state * state).real() > 0;
}

PLANT power_planted()
{
    static int exponent = 3;
    double sum = 0;

    for (int i = 0; i < 100; i++)
        sum += std::pow(1 + i * .01, exponent);
    return static_cast<long>(sum);
}

PLANT power_repaired()
{
    double sum = 0;

    for (int i = 0; i < 100; i++)
        sum += (1 + i * .01) * (1 + i * .01) * (1 + i * .01);
    return static_cast<long>(sum);
}

PLANT clock_planted()
{
    long passed = 0;

    for (int i = 0; i < 100; i++)
        passed += std::chrono::steady_clock::now().time_since_epoch().count() > 0;
    return passed;
}

PLANT clock_repaired()
{
    const auto now = std::chrono::steady_clock::now();
    long passed = 0;

    for (int i = 0; i < 100; i++)
        passed += now.time_since_epoch().count() > 0;
    return passed;
}

/* ---- threads -------------------------------------------------------------------------------- */

PLANT async_planted()
{
    return std::async(std::launch::async, [] { return 1L; }).get();
}

PLANT async_repaired()
{
    return std::async(std::launch::deferred, [] { return 1L; }).get();
}

PLANT concurrency_planted()
{
    return std::thread::hardware_concurrency() > 0;
}

PLANT concurrency_repaired()
{
    static const unsigned cores = std::thread::hardware_concurrency();

    return cores > 0;
}

static std::mutex mutex;
static long total;

PLANT mutex_planted()
{
    for (int i = 0; i < 1000; i++) {
        std::lock_guard lock(mutex);

        total += i;
    }
    return total > 0;
}

PLANT mutex_repaired()
{
    long sum = 0;

    for (int i = 0; i < 1000; i++)
        sum += numbers[i] > 0 ? i : 0;
    std::lock_guard lock(mutex);
    total += sum;
    return total > 0;
}

static std::shared_mutex shared;

PLANT shared_mutex_planted()
{
    long sum = 0;

    for (int i = 0; i < 1000; i++) {
        std::shared_lock lock(shared);

        sum += numbers[i];
    }
    return sum > 0;
}

PLANT shared_mutex_repaired()
{
    std::shared_lock lock(shared);
    long sum = 0;

    for (int i = 0; i < 1000; i++)
        sum += numbers[i];
    return sum > 0;
}

static std::condition_variable filled, emptied;

/* Hand a thousand numbers to another thread, some at once. */
static long hand_over(size_t at_once)
{
    std::vector<int> box;
    long sum = 0;
    std::thread taker([&] {
        for (size_t taken = 0; taken < 1000; taken += at_once) {
            std::unique_lock lock(mutex);

            filled.wait(lock, [&] { return box.size() == at_once; });
            for (int number : box)
                sum += number;
            box.clear();
            emptied.notify_one();
        }
    });

    for (int i = 0; i < 1000; i++) {
        std::unique_lock lock(mutex);

        emptied.wait(lock, [&] { return box.size() < at_once; });
        box.push_back(i);
        if (box.size() == at_once)
            filled.notify_one();
    }
    taker.join();
    return sum;
}

PLANT notify_planted()
{
    return hand_over(1);
}

PLANT notify_repaired()
{
    return hand_over(1000);
}

PLANT yield_planted()
{
    std::atomic<bool> is_done{false};
    std::thread worker([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        is_done = true;
    });

    while (!is_done)
        std::this_thread::yield();
    worker.join();
    return is_done;
}

PLANT yield_repaired()
{
    std::promise<bool> is_done;
    std::thread worker([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        is_done.set_value(true);
    });
    bool done = is_done.get_future().get();

    worker.join();
    return done;
}

struct field {
    int x, y;
    bool operator==(const field &other) const
    {
        return x == other.x && y == other.y;
    }
};

/* A negative y hides x. */
struct hiding_hash {
    size_t operator()(const field &at) const
    {
        return (static_cast<size_t>(at.x) << 32) | static_cast<size_t>(at.y);
    }
};

struct mixing_hash {
    size_t operator()(const field &at) const
    {
        uint64_t mixed = (static_cast<uint64_t>(at.x) << 32) ^ static_cast<uint32_t>(at.y);

        return (mixed * 0x9e3779b97f4a7c15u) >> 20;
    }
};

template <class Hash> static long look_up()
{
    static std::unordered_set<field, Hash> fields;
    static unsigned state = 1;
    long found = 0;

    for (int x = 0; fields.size() < 200L * 100; x++)
        for (int y = -100; y < 0; y++)
            fields.insert({x, y});
    for (int i = 0; i < 100; i++) {
        state = state * 1664525 + 1013904223;
        found += static_cast<long>(
            fields.count({static_cast<int>(state >> 24), -1 - static_cast<int>(state >> 8 & 127)}));
    }
    return found;
}

static long hash_chains_planted()
{
    return look_up<hiding_hash>();
}

static long hash_chains_repaired()
{
    return look_up<mixing_hash>();
}

/* A table that was large once, and holds few elements each time. */
static long count_in(std::unordered_map<int, int> &counts)
{
    for (int i = 0; i < 40; i++)
        counts[i % 10]++;
    return static_cast<long>(counts.size());
}

static long hash_clear_planted()
{
    static std::unordered_map<int, int> counts(50000);

    count_in(counts);
    counts.clear();
    return counts[3];
}

static long hash_clear_repaired()
{
    std::unordered_map<int, int> counts;

    return count_in(counts);
}

/* Few values for all points. */
struct folding_hash {
    size_t operator()(const field &at) const noexcept
    {
        return static_cast<size_t>(at.x) ^ (static_cast<size_t>(at.y) << 1);
    }
};

struct spreading_hash {
    size_t operator()(const field &at) const noexcept
    {
        return mixing_hash()(at);
    }
};

template <class Hash> static long find_points()
{
    static std::unordered_map<field, int, Hash> points;
    long sum = 0;

    for (int x = 0; points.size() < 120 * 120; x++)
        for (int y = 0; y < 120; y++)
            points[{x, y}] = x + y;
    for (int i = 0; i < 100; i++)
        sum += points.find({i, 119 - i})->second;
    return sum;
}

static long hash_mixing_planted()
{
    return find_points<folding_hash>();
}

static long hash_mixing_repaired()
{
    return find_points<spreading_hash>();
}

/* The comparison is the program's own, and of the sort. */
static long compared_sort_planted()
{
    static std::vector<field> fields(1000);
    static unsigned state = 1;

    fields[state % 1000] = {static_cast<int>(state >> 8), 1};
    state = state * 1664525 + 1013904223;
    std::sort(fields.begin(), fields.end(), [](const field &one, const field &other) {
        return one.x != other.x ? one.x < other.x : one.y < other.y;
    });
    return fields[0].x & 1;
}

static long compared_sort_repaired()
{
    static std::vector<field> fields(1000);
    static unsigned state = 1;

    fields[state % 1000] = {static_cast<int>(state >> 8), 1};
    state = state * 1664525 + 1013904223;
    return std::min_element(fields.begin(), fields.end(),
                            [](const field &one, const field &other) { return one.x < other.x; })
               ->x &
           1;
}

/* Each copy of the comparison has all distances. */
struct by_copy {
    std::vector<double> distances;
    bool operator()(int one, int other) const
    {
        return distances[one] < distances[other];
    }
};

static std::vector<double> make_distances()
{
    std::vector<double> distances(500);

    for (int i = 0; i < 500; i++)
        distances[i] = i * 7919 % 500;
    return distances;
}

static const std::vector<double> all_distances = make_distances();

static long compared_copies_planted()
{
    std::vector<int> order(500);

    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), by_copy{all_distances});
    return order[0];
}

static long compared_copies_repaired()
{
    std::vector<int> order(500);

    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [](int one, int other) { return all_distances[one] < all_distances[other]; });
    return order[0];
}

#define COST(name)                                                                                 \
    {                                                                                              \
#name, name##_planted, name##_repaired                                                     \
    }
static const struct {
    const char *name;
    long (*planted)();
    long (*repaired)();
} costs[] = {
    COST(string_map),
    COST(tree),
    COST(tree_walk),
    COST(tree_search),
    COST(distance),
    COST(list_walk),
    COST(list_nodes),
    COST(list_sort),
    COST(hash_nodes),
    COST(deque_making),
    COST(deque_index),
    COST(debug_mode),
    COST(vector_copy),
    COST(string_copy),
    COST(string_from_chars),
    COST(map_copy),
    COST(initializer),
    COST(zeroing),
    COST(nested),
    COST(erase_front),
    COST(resort),
    COST(function_copy),
    COST(shared_copy),
    COST(weak_lock),
    COST(atomic_shared),
    COST(any),
    COST(substr),
    COST(string_plus),
    COST(string_growth),
    COST(string_shift),
    COST(first_of),
    COST(search),
    COST(find),
    COST(cctype),
    COST(facet),
    COST(locale),
    COST(convert),
    COST(regex_split),
    COST(regex_replace),
    COST(to_string),
    COST(stod),
    COST(cin),
    COST(get),
    COST(words),
    COST(put),
    COST(whole),
    COST(open),
    COST(tell),
    COST(str),
    COST(put_time),
    COST(get_time),
    COST(file_status),
    COST(path),
    COST(canonical),
    COST(dynamic_cast),
    COST(demangle),
    COST(stoi_throw),
    COST(at_throw),
    COST(bad_cast),
    COST(bad_access),
    COST(rethrow),
    COST(seeding),
    COST(discrete),
    COST(complex_quotient),
    COST(complex_product),
    COST(complex_power),
    COST(power),
    COST(clock),
    COST(async),
    COST(concurrency),
    COST(mutex),
    COST(shared_mutex),
    COST(notify),
    COST(yield),
    COST(hash_chains),
    COST(hash_clear),
    COST(hash_mixing),
    COST(compared_sort),
    COST(compared_copies),
};

int main(int argc, char **argv)
{
    for (const auto &cost : costs) {
        long sum = 0;

        if (argc != 4 || strcmp(cost.name, argv[1]) != 0)
            continue;
        const long rounds = atol(argv[3]);
        const auto plant = strcmp(argv[2], "planted") == 0 ? cost.planted : cost.repaired;
        for (long i = 0; i < rounds; i++)
            sum += plant();
        printf("%ld\n", sum);
        return EXIT_SUCCESS;
    }
    return 2;
}
