/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of ICU, fmt, spdlog, tinyxml2, pugixml, and nlohmann::json, and their
 * repaired twins, which print the same.
 */
#include <fmt/ostream.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>
#include <string>
#include <tinyxml2.h>
#include <unicode/numfmt.h>
#include <unicode/unistr.h>
#include <vector>

#include "plants.h"

/* ---- ICU -------------------------------------------------------------------------------- */

static long formats_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        UErrorCode status = U_ZERO_ERROR;
        std::unique_ptr<icu::NumberFormat> format(
            icu::NumberFormat::createInstance(icu::Locale("de"), status));
        icu::UnicodeString text;

        sum += format->format(static_cast<int32_t>(i), text).length();
    }
    return sum;
}

static long formats_repaired(long rounds)
{
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::NumberFormat> format(
        icu::NumberFormat::createInstance(icu::Locale("de"), status));
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        icu::UnicodeString text;

        sum += format->format(static_cast<int32_t>(i), text).length();
    }
    return sum;
}

/* ---- logs ------------------------------------------------------------------------------- */

struct place {
    int x, y;
};

static std::ostream &operator<<(std::ostream &stream, const place &place)
{
    return stream << place.x << ':' << place.y;
}

template <> struct fmt::formatter<place> : fmt::ostream_formatter {
};

struct plain_place {
    int x, y;
};

template <> struct fmt::formatter<plain_place> {
    constexpr auto parse(format_parse_context &context)
    {
        return context.begin();
    }
    auto format(const plain_place &place, format_context &context) const
    {
        return fmt::format_to(context.out(), "{}:{}", place.x, place.y);
    }
};

static long places_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += fmt::format("at {}", place{static_cast<int>(i), 7}).size();
    return sum;
}

static long places_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += fmt::format("at {}", plain_place{static_cast<int>(i), 7}).size();
    return sum;
}

static void make_logger()
{
    spdlog::register_logger(std::make_shared<spdlog::logger>(
        "network.connections", std::make_shared<spdlog::sinks::null_sink_mt>()));
}

static long loggers_planted(long rounds)
{
    make_logger();
    for (long i = 0; i < rounds; i++)
        spdlog::get("network.connections")->debug("packet {}", i);
    return rounds;
}

static long loggers_repaired(long rounds)
{
    make_logger();

    const auto logger = spdlog::get("network.connections");

    for (long i = 0; i < rounds; i++)
        logger->debug("packet {}", i);
    return rounds;
}

/* ---- documents -------------------------------------------------------------------------- */

static std::string make_document()
{
    std::string text = "<items";

    for (int i = 0; i < 40; i++)
        text += " attribute" + std::to_string(i) + "=\"" + std::to_string(i) + "\"";
    text += ">";
    for (int i = 0; i < 200; i++)
        text += "<item" + std::to_string(i) + ">7</item" + std::to_string(i) + ">";
    return text + "</items>";
}

static long tiny_planted(long rounds)
{
    tinyxml2::XMLDocument document;
    long sum = 0;

    document.Parse(make_document().c_str());
    for (long i = 0; i < rounds; i++)
        sum += document.RootElement()->IntAttribute("attribute33") +
               document.RootElement()->FirstChildElement("item150")->IntText();
    return sum;
}

static long tiny_repaired(long rounds)
{
    tinyxml2::XMLDocument document;
    long sum = 0;

    document.Parse(make_document().c_str());

    const int number = document.RootElement()->IntAttribute("attribute33"),
              text = document.RootElement()->FirstChildElement("item150")->IntText();

    for (long i = 0; i < rounds; i++)
        sum += number + text;
    return sum;
}

static long children_planted(long rounds)
{
    pugi::xml_document document;
    long sum = 0;

    document.load_string(make_document().c_str());
    for (long i = 0; i < rounds; i++)
        sum += document.child("items").child("item150").text().as_int() +
               document.child("items").attribute("attribute33").as_int();
    return sum;
}

static long children_repaired(long rounds)
{
    pugi::xml_document document;
    long sum = 0;

    document.load_string(make_document().c_str());

    const pugi::xml_node items = document.child("items");
    const int number = items.attribute("attribute33").as_int(),
              text = items.child("item150").text().as_int();

    for (long i = 0; i < rounds; i++)
        sum += number + text;
    return sum;
}

static const char message[] =
    "{\"name\": \"tank\", \"levels\": [1, 2, 3, 4, 5, 6, 7], \"on\": true}";

static long accept_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        if (nlohmann::json::accept(message))
            sum += nlohmann::json::parse(message).size();
    return sum;
}

static long accept_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        const auto value = nlohmann::json::parse(message, nullptr, false);

        if (!value.is_discarded())
            sum += value.size();
    }
    return sum;
}

static long dump_planted(long rounds)
{
    const nlohmann::json left = nlohmann::json::parse(message), right = left;
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += left.dump() == right.dump();
    return sum;
}

static long dump_repaired(long rounds)
{
    const nlohmann::json left = nlohmann::json::parse(message), right = left;
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += left == right;
    return sum;
}

static const struct plant plants[] = {PLANT(formats),  PLANT(places), PLANT(loggers), PLANT(tiny),
                                      PLANT(children), PLANT(accept), PLANT(dump)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
