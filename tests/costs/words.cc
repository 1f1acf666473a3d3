// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plants of well-known costs of RE2, Protocol Buffers, spdlog and Boost.Serialization.
#include <boost/archive/binary_oarchive.hpp>
#include <boost/archive/text_oarchive.hpp>
#include <boost/serialization/vector.hpp>
#include <google/protobuf/struct.pb.h>
#include <re2/re2.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>
#include <sstream>
#include <string>
#include <vector>

#include "plants.h"

static long expression_planted(long rounds)
{
    long sum = 0;
    std::string key;
    int value;

    for (long i = 0; i < rounds; i++)
        sum += RE2::FullMatch("width=640", "(\\w+)=(\\d+)", &key, &value);
    return sum;
}

static long expression_repaired(long rounds)
{
    const RE2 expression("(\\w+)=(\\d+)");
    long sum = 0;
    std::string key;
    int value;

    for (long i = 0; i < rounds; i++)
        sum += RE2::FullMatch("width=640", expression, &key, &value);
    return sum;
}

static google::protobuf::Struct make_message()
{
    google::protobuf::Struct message;

    for (int i = 0; i < 20; i++)
        (*message.mutable_fields())["property" + std::to_string(i)].set_number_value(i);
    return message;
}

static long text_planted(long rounds)
{
    const google::protobuf::Struct message = make_message();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += !message.ShortDebugString().empty();
    return sum;
}

static long text_repaired(long rounds)
{
    const google::protobuf::Struct message = make_message();
    std::string text;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        message.SerializeToString(&text);
        sum += !text.empty();
    }
    return sum;
}

static long fields_planted(long rounds)
{
    google::protobuf::Value value;
    double sum = 0;

    value.set_number_value(3);
    for (long i = 0; i < rounds; i++) {
        const auto *field = value.GetDescriptor()->FindFieldByName("number_value");

        sum += value.GetReflection()->GetDouble(value, field);
    }
    return static_cast<long>(sum);
}

static long fields_repaired(long rounds)
{
    google::protobuf::Value value;
    double sum = 0;

    value.set_number_value(3);
    for (long i = 0; i < rounds; i++)
        sum += value.number_value();
    return static_cast<long>(sum);
}

static void log_lines(spdlog::logger &logger, long rounds)
{
    for (long i = 0; i < rounds; i++)
        logger.info("item {} of {}", i, rounds);
}

static long flushing_planted(long rounds)
{
    const auto logger = spdlog::basic_logger_mt("plants", "/dev/null", true);

    logger->flush_on(spdlog::level::info);
    log_lines(*logger, rounds);
    return rounds;
}

static long flushing_repaired(long rounds)
{
    const auto logger = spdlog::basic_logger_mt("plants", "/dev/null", true);

    logger->flush_on(spdlog::level::err);
    log_lines(*logger, rounds);
    return rounds;
}

template <class Archive> static long save(long rounds)
{
    const std::vector<double> numbers(1000, 1.0 / 3);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        std::ostringstream out;
        Archive archive(out);

        archive << numbers;
        sum += out.tellp() > 0;
    }
    return sum;
}

static long archive_planted(long rounds)
{
    return save<boost::archive::text_oarchive>(rounds);
}

static long archive_repaired(long rounds)
{
    return save<boost::archive::binary_oarchive>(rounds);
}

/* The same lines again and again, against alternatives with gaps: their states take some 10 MiB. */
static long match_lines(long rounds, int64_t most_bytes)
{
    enum { WORDS = 12, LINES = 500, IN_A_LINE = 8 };
    RE2::Options options;
    std::vector<std::string> lines;
    std::string pattern;
    unsigned long random = 1;
    long count = 0;

    if (most_bytes > 0)
        options.set_max_mem(most_bytes);
    for (int i = 0; i < WORDS * WORDS; i++)
        pattern += (i > 0 ? "|" : "") + ("verb" + std::to_string(i / WORDS)) + "e.*noun" +
                   std::to_string(i % WORDS) + "e [0-9]+ lost";
    RE2 expression(pattern, options);
    for (int i = 0; i < LINES; i++) {
        std::string line;

        for (int k = 0; k < IN_A_LINE; k++) {
            random = random * 6364136223846793005 + 1442695040888963407;
            line += (random >> 33 & 1 ? "verb" : "noun") + std::to_string((random >> 40) % WORDS) +
                    "e " + std::to_string((random >> 50) % 100) + " ";
        }
        lines.push_back(line);
    }
    for (long i = 0; i < rounds; i++) {
        random = random * 6364136223846793005 + 1442695040888963407;
        count += RE2::PartialMatch(lines[(random >> 33) % LINES], expression);
    }
    return count;
}

static long states_planted(long rounds)
{
    return match_lines(rounds, 0);
}

static long states_repaired(long rounds)
{
    return match_lines(rounds, 512 << 20);
}

static const struct plant plants[] = {PLANT(expression), PLANT(text),    PLANT(fields),
                                      PLANT(flushing),   PLANT(archive), PLANT(states)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
