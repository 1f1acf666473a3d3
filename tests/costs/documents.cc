// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plants of well-known costs of libraries for JSON, YAML and XML in C++.
#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <rapidjson/document.h>
#include <rapidjson/istreamwrapper.h>
#include <sstream>
#include <string>
#include <vector>
#include <yaml-cpp/yaml.h>

#include "plants.h"

static std::string make_text(int count)
{
    std::ostringstream text;

    text << "{";
    for (int i = 0; i < count; i++)
        text << (i > 0 ? "," : "") << "\"property" << i << "\":{\"size\":" << i << ",\"on\":true}";
    text << "}";
    return text.str();
}

/* ---- nlohmann --------------------------------------------------------------------------- */

static long copies_planted(long rounds)
{
    const nlohmann::json items = nlohmann::json::parse(make_text(100));
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (auto item : items)
            sum += item["size"].get<long>();
    return sum;
}

static long copies_repaired(long rounds)
{
    const nlohmann::json items = nlohmann::json::parse(make_text(100));
    std::vector<long> sizes;
    long sum = 0;

    for (const auto &item : items)
        sizes.push_back(item["size"].get<long>());
    for (long i = 0; i < rounds; i++)
        for (long size : sizes)
            sum += size;
    return sum;
}

static long parsing_planted(long rounds)
{
    const std::string text = make_text(100);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += static_cast<long>(nlohmann::json::parse(text).size());
    return sum;
}

static long parsing_repaired(long rounds)
{
    const std::string text = make_text(100);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        rapidjson::Document document;

        document.Parse(text.data(), text.size());
        sum += document.MemberCount();
    }
    return sum;
}

/* ---- rapidjson -------------------------------------------------------------------------- */

static long members_planted(long rounds)
{
    const std::string text = make_text(300);
    rapidjson::Document document;
    long sum = 0;

    document.Parse(text.data(), text.size());
    for (long i = 0; i < rounds; i++)
        sum += document["property250"]["size"].GetInt();
    return sum;
}

static long members_repaired(long rounds)
{
    const std::string text = make_text(300);
    rapidjson::Document document;
    std::map<std::string, int> sizes;
    long sum = 0;

    document.Parse(text.data(), text.size());
    for (const auto &member : document.GetObject())
        sizes[member.name.GetString()] = member.value["size"].GetInt();
    const int &size = sizes["property250"];
    for (long i = 0; i < rounds; i++)
        sum += size;
    return sum;
}

static long stream_planted(long rounds)
{
    const std::string text = make_text(50);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        std::istringstream file(text);
        rapidjson::IStreamWrapper stream(file);
        rapidjson::Document document;

        document.ParseStream(stream);
        sum += document.MemberCount();
    }
    return sum;
}

static long stream_repaired(long rounds)
{
    const std::string text = make_text(50);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        rapidjson::Document document;

        document.Parse(text.data(), text.size());
        sum += document.MemberCount();
    }
    return sum;
}

static long copied_planted(long rounds)
{
    const std::string text = make_text(100);
    rapidjson::Document document;
    long sum = 0;

    document.Parse(text.data(), text.size());
    for (long i = 0; i < rounds; i++) {
        rapidjson::Document copy;

        copy.CopyFrom(document, copy.GetAllocator());
        sum += copy.MemberCount();
    }
    return sum;
}

static long copied_repaired(long rounds)
{
    const std::string text = make_text(100);
    rapidjson::Document document;
    long sum = 0;

    document.Parse(text.data(), text.size());
    for (long i = 0; i < rounds; i++) {
        const rapidjson::Document &shared = document;

        sum += shared.MemberCount();
    }
    return sum;
}

/* ---- yaml-cpp --------------------------------------------------------------------------- */

static long nodes_planted(long rounds)
{
    const YAML::Node items = YAML::Load(make_text(50));
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += items["property40"]["size"].as<long>();
    return sum;
}

static long nodes_repaired(long rounds)
{
    const YAML::Node items = YAML::Load(make_text(50));
    const long size = items["property40"]["size"].as<long>();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += size;
    return sum;
}

static long loading_planted(long rounds)
{
    const std::string text = make_text(50);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += static_cast<long>(YAML::Load(text).size());
    return sum;
}

static long loading_repaired(long rounds)
{
    const std::string text = make_text(50);
    const YAML::Node items = YAML::Load(text);
    const long size = static_cast<long>(items.size());
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += size;
    return sum;
}

/* ---- pugixml ---------------------------------------------------------------------------- */

static long queries_planted(long rounds)
{
    pugi::xml_document document;
    long sum = 0;

    document.load_string("<rows><row id='1'><size>7</size></row></rows>");
    for (long i = 0; i < rounds; i++)
        sum += document.select_node("/rows/row[@id='1']/size[. > 3]").node().text().as_int();
    return sum;
}

static long queries_repaired(long rounds)
{
    const pugi::xpath_query query("/rows/row[@id='1']/size[. > 3]");
    pugi::xml_document document;
    long sum = 0;

    document.load_string("<rows><row id='1'><size>7</size></row></rows>");
    for (long i = 0; i < rounds; i++)
        sum += document.select_node(query).node().text().as_int();
    return sum;
}

static const struct plant plants[] = {PLANT(copies),  PLANT(parsing), PLANT(members),
                                      PLANT(stream),  PLANT(copied),  PLANT(nodes),
                                      PLANT(loading), PLANT(queries)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
