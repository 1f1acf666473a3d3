/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of Qt's core and pictures, and their repaired twins, which print the
 * same.
 */
#include <QCoreApplication>
#include <QDateTime>
#include <QDebug>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegExp>
#include <QRegularExpression>
#include <QSet>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QTextStream>
#include <QTimer>
#include <QVariant>

#include "plants.h"

/* ---- texts ------------------------------------------------------------------------------ */

static const char row[] = "alpha;beta;4711;gamma;delta;epsilon;zeta;eta";

static long pattern_planted(long rounds)
{
    const QString text(row);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        QRegularExpression number("([a-z]+);([0-9]+);");

        sum += number.match(text).capturedStart(2);
    }
    return sum;
}

static long pattern_repaired(long rounds)
{
    static const QRegularExpression number("([a-z]+);([0-9]+);");
    const QString text(row);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += number.match(text).capturedStart(2);
    return sum;
}

static long old_planted(long rounds)
{
    const QString text(row);
    QRegExp number("([a-z]+);([0-9]+);");
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        number.indexIn(text);
        sum += number.pos(2);
    }
    return sum;
}

static long split_planted(long rounds)
{
    const QString text(row);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += text.split(';').at(2).toInt();
    return sum;
}

static long split_repaired(long rounds)
{
    const QString text(row);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        const int start = text.indexOf(';', text.indexOf(';') + 1) + 1;

        sum += text.midRef(start, text.indexOf(';', start) - start).toInt();
    }
    return sum;
}

static long arg_planted(long rounds)
{
    const QString name("sensor");
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += QString("%1/%2/%3 is %4").arg(name).arg(i % 100).arg(i % 7).arg(name).size();
    return sum;
}

static long arg_repaired(long rounds)
{
    const QString name("sensor");
    QString text;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        text.resize(0);
        text += name;
        text += QLatin1Char('/');
        text += QString::number(i % 100);
        text += QLatin1Char('/');
        text += QString::number(i % 7);
        text += QLatin1String(" is ");
        text += name;
        sum += text.size();
    }
    return sum;
}

static long literal_planted(long rounds)
{
    QMap<QString, long> sums;

    sums["temperature"] = 1;
    sums["humidity"] = 2;
    for (long i = 0; i < rounds; i++)
        sums["temperature"] += sums["humidity"];
    return sums["temperature"];
}

static long literal_repaired(long rounds)
{
    QMap<QString, long> sums;

    sums["temperature"] = 1;
    sums["humidity"] = 2;

    long &temperature = sums["temperature"];
    const long humidity = sums["humidity"];

    for (long i = 0; i < rounds; i++)
        temperature += humidity;
    return temperature;
}

static long front_planted(long rounds)
{
    QByteArray buffer(static_cast<int>(rounds) * 8, 'x');
    long sum = 0;

    while (buffer.size() >= 8) {
        sum += buffer.at(3);
        buffer.remove(0, 8);
    }
    return sum;
}

static long front_repaired(long rounds)
{
    QByteArray buffer(static_cast<int>(rounds) * 8, 'x');
    long sum = 0;
    int used = 0;

    for (; buffer.size() - used >= 8; used += 8)
        sum += buffer.at(used + 3);
    buffer.remove(0, used);
    return sum;
}

static long date_planted(long rounds)
{
    const QString text("2024-03-17 10:20:30");
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += QDateTime::fromString(text, "yyyy-MM-dd HH:mm:ss").date().day();
    return sum;
}

static long date_repaired(long rounds)
{
    const QString text("2024-03-17 10:20:30");
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum +=
            QDate(text.midRef(0, 4).toInt(), text.midRef(5, 2).toInt(), text.midRef(8, 2).toInt())
                .day();
    return sum;
}

static long now_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += QDateTime::currentDateTime().toMSecsSinceEpoch() > 0;
    return sum;
}

static long now_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += QDateTime::currentMSecsSinceEpoch() > 0;
    return sum;
}

/* ---- containers ------------------------------------------------------------------------- */

static long contains_planted(long rounds)
{
    QStringList names;

    for (long i = 0; i < rounds; i++) {
        const QString name = "name" + QString::number(i % 3000);

        if (!names.contains(name))
            names.append(name);
    }
    return names.size();
}

static long contains_repaired(long rounds)
{
    QSet<QString> names;

    for (long i = 0; i < rounds; i++)
        names.insert("name" + QString::number(i % 3000));
    return names.size();
}

static QMap<int, long> make_map()
{
    QMap<int, long> map;

    for (int i = 0; i < 200; i++)
        map.insert(i, i);
    return map;
}

static long keys_planted(long rounds)
{
    const QMap<int, long> map = make_map();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (const int key : map.keys())
            sum += key;
    return sum;
}

static long keys_repaired(long rounds)
{
    const QMap<int, long> map = make_map();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (auto item = map.keyBegin(); item != map.keyEnd(); ++item)
            sum += *item;
    return sum;
}

static long json_planted(long rounds)
{
    QJsonObject object;

    object["items"] = QJsonArray();
    for (long i = 0; i < rounds; i++) {
        QJsonArray items = object["items"].toArray();

        items.append(static_cast<int>(i));
        object["items"] = items;
    }
    return object["items"].toArray().size();
}

static long json_repaired(long rounds)
{
    QJsonObject object;
    QJsonArray items;

    for (long i = 0; i < rounds; i++)
        items.append(static_cast<int>(i));
    object["items"] = items;
    return object["items"].toArray().size();
}

/* ---- objects ---------------------------------------------------------------------------- */

static long property_planted(long rounds)
{
    QObject object;
    long sum = 0;

    object.setObjectName("tank");
    for (long i = 0; i < rounds; i++)
        sum += object.property("objectName").toString().size();
    return sum;
}

static long property_repaired(long rounds)
{
    QObject object;
    long sum = 0;

    object.setObjectName("tank");
    for (long i = 0; i < rounds; i++)
        sum += object.objectName().size();
    return sum;
}

static void fill(QObject *parent)
{
    for (int i = 0; i < 500; i++)
        (new QObject(parent))->setObjectName("item" + QString::number(i));
}

static long child_planted(long rounds)
{
    QObject parent;
    long sum = 0;

    fill(&parent);
    for (long i = 0; i < rounds; i++)
        sum += parent.findChild<QObject *>("item444")->objectName().size();
    return sum;
}

static long child_repaired(long rounds)
{
    QObject parent;
    long sum = 0;

    fill(&parent);

    const QObject *child = parent.findChild<QObject *>("item444");

    for (long i = 0; i < rounds; i++)
        sum += child->objectName().size();
    return sum;
}

static long events_planted(long rounds)
{
    QObject receiver;
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        QMetaObject::invokeMethod(
            &receiver, [&sum, i] { sum += i; }, Qt::QueuedConnection);
    QCoreApplication::processEvents();
    return sum;
}

static long events_repaired(long rounds)
{
    QObject receiver;
    long sum = 0;

    QMetaObject::invokeMethod(
        &receiver,
        [&sum, rounds] {
            for (long i = 0; i < rounds; i++)
                sum += i;
        },
        Qt::QueuedConnection);
    QCoreApplication::processEvents();
    return sum;
}

static long process_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        sum += i % 7;
        QCoreApplication::processEvents();
    }
    return sum;
}

static long process_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        sum += i % 7;
        if (i % 10000 == 0)
            QCoreApplication::processEvents();
    }
    return sum;
}

/* ---- files and settings ----------------------------------------------------------------- */

static char path[] = "/tmp/tprof-qtcore-XXXXXX";

static long settings_planted(long rounds)
{
    const int descriptor = mkstemp(path);
    QSettings settings(path, QSettings::IniFormat);
    long sum = 0;

    settings.setValue("view/scale", 3);
    for (long i = 0; i < rounds; i++)
        sum += settings.value("view/scale").toInt();
    remove(path);
    return sum + 0 * descriptor;
}

static long settings_repaired(long rounds)
{
    const int descriptor = mkstemp(path);
    QSettings settings(path, QSettings::IniFormat);
    long sum = 0;

    settings.setValue("view/scale", 3);

    const int scale = settings.value("view/scale").toInt();

    for (long i = 0; i < rounds; i++)
        sum += scale;
    remove(path);
    return sum + 0 * descriptor;
}

static void make_lines(long rounds)
{
    mkstemp(path);
    QFile file(path);

    file.open(QIODevice::WriteOnly);
    for (long i = 0; i < rounds; i++)
        file.write("123456 a line of some words\n");
}

static long lines_planted(long rounds)
{
    long sum = 0;

    make_lines(rounds);
    QFile file(path);

    file.open(QIODevice::ReadOnly | QIODevice::Text);
    QTextStream stream(&file);

    while (!stream.atEnd())
        sum += stream.readLine().size();
    remove(path);
    return sum;
}

static long lines_repaired(long rounds)
{
    long sum = 0;

    make_lines(rounds);
    QFile file(path);

    file.open(QIODevice::ReadOnly);

    const QByteArray all = file.readAll();

    for (int start = 0, end; (end = all.indexOf('\n', start)) >= 0; start = end + 1)
        sum += end - start;
    remove(path);
    return sum;
}

static long bytes_planted(long rounds)
{
    long sum = 0;
    char each;

    make_lines(rounds);
    QFile file(path);

    file.open(QIODevice::ReadOnly);
    while (file.getChar(&each))
        sum += each;
    remove(path);
    return sum;
}

static long bytes_repaired(long rounds)
{
    long sum = 0;

    make_lines(rounds);
    QFile file(path);

    file.open(QIODevice::ReadOnly);
    for (const char each : file.readAll())
        sum += each;
    remove(path);
    return sum;
}

static long debug_planted(long rounds)
{
    if (!freopen("/dev/null", "w", stderr))
        return 0;
    for (long i = 0; i < rounds; i++)
        qDebug() << "item" << i << "of" << rounds;
    return rounds;
}

static long debug_repaired(long rounds)
{
    if (!freopen("/dev/null", "w", stderr))
        return 0;
    for (long i = 0; i < rounds; i++)
        if (i % 10000 == 0)
            qDebug() << "item" << i << "of" << rounds;
    return rounds;
}

static long pixel_planted(long rounds)
{
    QImage image(500, 500, QImage::Format_RGB32);
    long sum = 0;

    image.fill(0x102030);
    for (long i = 0; i < rounds; i++)
        for (int y = 0; y < 500; y++)
            for (int x = 0; x < 500; x++)
                sum += qRed(image.pixel(x, y));
    return sum;
}

static long pixel_repaired(long rounds)
{
    QImage image(500, 500, QImage::Format_RGB32);
    long sum = 0;

    image.fill(0x102030);
    for (long i = 0; i < rounds; i++)
        for (int y = 0; y < 500; y++) {
            const QRgb *line = reinterpret_cast<const QRgb *>(image.constScanLine(y));

            for (int x = 0; x < 500; x++)
                sum += qRed(line[x]);
        }
    return sum;
}

#define old_repaired pattern_repaired
static const struct plant plants[] = {
    PLANT(pattern),  PLANT(old),      PLANT(split), PLANT(arg),      PLANT(literal),
    PLANT(front),    PLANT(date),     PLANT(now),   PLANT(contains), PLANT(keys),
    PLANT(json),     PLANT(property), PLANT(child), PLANT(events),   PLANT(process),
    PLANT(settings), PLANT(lines),    PLANT(bytes), PLANT(debug),    PLANT(pixel)};

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);

    return RUN_PLANTS(plants, argc, argv);
}
