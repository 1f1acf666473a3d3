/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of Qt's widgets, models, pictures, documents and threads, and their
 * repaired twins, which print the same.
 */
#include <QApplication>
#include <QCollator>
#include <QDir>
#include <QDomDocument>
#include <QFontMetrics>
#include <QGraphicsScene>
#include <QGraphicsRectItem>
#include <QImage>
#include <QLabel>
#include <QLocale>
#include <QNetworkAccessManager>
#include <QObject>
#include <QPainter>
#include <QPainterPath>
#include <QPlainTextEdit>
#include <QSortFilterProxyModel>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QStandardItemModel>
#include <QStaticText>
#include <QTextEdit>
#include <QThreadPool>
#include <QTreeWidget>
#include <QVariant>
#include <QXmlStreamReader>
#include <QtConcurrent>

#include <algorithm>
#include <vector>

#include "plants.h"

/* ---- objects and threads -------------------------------------------------------------------- */

static long connects_planted(long rounds)
{
    QObject sender, receiver;

    for (long i = 0; i < rounds; i++) {
        QObject::connect(&sender, SIGNAL(objectNameChanged(QString)), &receiver,
                         SLOT(deleteLater()));
        QObject::disconnect(&sender, SIGNAL(objectNameChanged(QString)), &receiver,
                            SLOT(deleteLater()));
    }
    return rounds;
}

static long connects_repaired(long rounds)
{
    QObject sender, receiver;

    QObject::connect(&sender, SIGNAL(objectNameChanged(QString)), &receiver, SLOT(deleteLater()));
    for (long i = 0; i < rounds; i++) {
        sender.blockSignals(true);
        sender.blockSignals(false);
    }
    return rounds;
}

static long tasks_planted(long rounds)
{
    std::atomic<long> sum{0};

    for (long i = 0; i < rounds; i++)
        QtConcurrent::run([&sum, i] { sum += i; });
    QThreadPool::globalInstance()->waitForDone();
    return sum;
}

static long tasks_repaired(long rounds)
{
    std::atomic<long> sum{0};

    for (long i = 0; i < rounds; i += 10000)
        QtConcurrent::run([&sum, i, rounds] {
            for (long j = i; j < std::min(i + 10000, rounds); j++)
                sum += j;
        });
    QThreadPool::globalInstance()->waitForDone();
    return sum;
}

static long managers_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        QNetworkAccessManager manager;

        sum += manager.cookieJar() != nullptr;
    }
    return sum;
}

static long managers_repaired(long rounds)
{
    QNetworkAccessManager manager;
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += manager.cookieJar() != nullptr;
    return sum;
}

static long variants_planted(long rounds)
{
    QVariantMap settings;
    long sum = 0;

    settings["width"] = QString("640");
    for (long i = 0; i < rounds; i++)
        sum += settings["width"].toInt();
    return sum;
}

static long variants_repaired(long rounds)
{
    QVariantMap settings;
    long sum = 0;

    settings["width"] = QString("640");

    const int width = settings["width"].toInt();

    for (long i = 0; i < rounds; i++)
        sum += width;
    return sum;
}

/* ---- models and widgets --------------------------------------------------------------------- */

static long proxy_planted(long rounds)
{
    QStandardItemModel model(0, 1);
    QSortFilterProxyModel proxy;

    proxy.setSourceModel(&model);
    proxy.sort(0);
    for (long i = 0; i < rounds; i++)
        model.appendRow(new QStandardItem(QString::number(i * 7919 % rounds)));
    return proxy.rowCount();
}

static long proxy_repaired(long rounds)
{
    QStandardItemModel model(0, 1);
    QSortFilterProxyModel proxy;

    for (long i = 0; i < rounds; i++)
        model.appendRow(new QStandardItem(QString::number(i * 7919 % rounds)));
    proxy.setSourceModel(&model);
    proxy.sort(0);
    return proxy.rowCount();
}

static long tree_planted(long rounds)
{
    QTreeWidget tree;

    tree.setColumnCount(1);
    for (long i = 0; i < rounds; i++) {
        QTreeWidgetItem *item = new QTreeWidgetItem(&tree);

        item->setText(0, QString::number(i));
        tree.resizeColumnToContents(0);
    }
    return tree.topLevelItemCount();
}

static long tree_repaired(long rounds)
{
    QTreeWidget tree;
    QList<QTreeWidgetItem *> items;

    tree.setColumnCount(1);
    for (long i = 0; i < rounds; i++)
        items.append(new QTreeWidgetItem(QStringList(QString::number(i))));
    tree.addTopLevelItems(items);
    tree.resizeColumnToContents(0);
    return tree.topLevelItemCount();
}

static long log_planted(long rounds)
{
    QTextEdit log;

    log.resize(400, 300);
    log.show();
    for (long i = 0; i < rounds; i++)
        log.append(QString("<b>%1</b> a line of the log").arg(i));
    return rounds;
}

static long log_repaired(long rounds)
{
    QPlainTextEdit log;

    log.resize(400, 300);
    log.setMaximumBlockCount(1000);
    log.show();
    for (long i = 0; i < rounds; i++)
        log.appendPlainText(QString("%1 a line of the log").arg(i));
    return rounds;
}

static long style_planted(long rounds)
{
    QLabel label("state");

    label.show();
    for (long i = 0; i < rounds; i++)
        label.setStyleSheet(i % 2 ? "color: red; border: 1px solid black" : "color: green");
    return rounds;
}

static long style_repaired(long rounds)
{
    QLabel label("state");
    QPalette red = label.palette(), green = label.palette();

    red.setColor(QPalette::WindowText, Qt::red);
    green.setColor(QPalette::WindowText, Qt::green);
    label.show();
    for (long i = 0; i < rounds; i++)
        label.setPalette(i % 2 ? red : green);
    return rounds;
}

static long scene(long rounds, bool is_indexed)
{
    QGraphicsScene scene(0, 0, 1000, 1000);
    std::vector<QGraphicsRectItem *> items;
    long sum = 0;

    if (!is_indexed)
        scene.setItemIndexMethod(QGraphicsScene::NoIndex);
    for (int i = 0; i < 1000; i++)
        items.push_back(scene.addRect(0, 0, 10, 10));
    for (long i = 0; i < rounds; i++) {
        for (size_t j = 0; j < items.size(); j++)
            items[j]->setPos((double)((i + (long)j * 7919) % 900), (double)(j % 900));
        sum += scene.items(QRectF(100, 100, 5, 5)).size() >= 0;
    }
    return sum;
}

static long scene_planted(long rounds)
{
    return scene(rounds, true);
}

static long scene_repaired(long rounds)
{
    return scene(rounds, false);
}

/* ---- drawing -------------------------------------------------------------------------------- */

static long converted_planted(long rounds)
{
    QImage picture(800, 600, QImage::Format_ARGB32);
    long sum = 0;

    picture.fill(Qt::blue);
    for (long i = 0; i < rounds; i++) {
        const QImage grey = picture.convertToFormat(QImage::Format_Grayscale8);

        sum += grey.constScanLine(5)[i % 800];
    }
    return sum;
}

static long converted_repaired(long rounds)
{
    QImage picture(800, 600, QImage::Format_ARGB32);
    long sum = 0;

    picture.fill(Qt::blue);

    const QImage grey = picture.convertToFormat(QImage::Format_Grayscale8);

    for (long i = 0; i < rounds; i++)
        sum += grey.constScanLine(5)[i % 800];
    return sum;
}

static long paths_planted(long rounds)
{
    QPainterPath all;

    for (long i = 0; i < rounds; i++) {
        QPainterPath one;

        one.addEllipse((double)(i * 37 % 500), (double)(i * 91 % 500), 20, 20);
        all = all.united(one);
    }
    return all.isEmpty();
}

static long paths_repaired(long rounds)
{
    QPainterPath all;

    all.setFillRule(Qt::WindingFill);
    for (long i = 0; i < rounds; i++)
        all.addEllipse((double)(i * 37 % 500), (double)(i * 91 % 500), 20, 20);
    return all.isEmpty();
}

static void draw_grid(QPainter &painter)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Qt::red, 2));
    for (int i = 0; i < 60; i++)
        painter.drawLine(QPointF(i * 10, 0), QPointF(i * 7, 300));
}

static long lines_planted(long rounds)
{
    QImage target(600, 400, QImage::Format_RGB32);

    for (long i = 0; i < rounds; i++) {
        QPainter painter(&target);

        draw_grid(painter);
    }
    return rounds;
}

static long lines_repaired(long rounds)
{
    QImage target(600, 400, QImage::Format_RGB32), grid(600, 400, QImage::Format_RGB32);
    QPainter once(&grid);

    draw_grid(once);
    for (long i = 0; i < rounds; i++) {
        QPainter painter(&target);

        painter.drawImage(0, 0, grid);
    }
    return rounds;
}

static long labels_planted(long rounds)
{
    QImage target(600, 400, QImage::Format_RGB32);
    QPainter painter(&target);

    for (long i = 0; i < rounds; i++)
        painter.drawText(QRect(0, 0, 200, 20), Qt::AlignCenter, "a label of the chart");
    return rounds;
}

static long labels_repaired(long rounds)
{
    QImage target(600, 400, QImage::Format_RGB32);
    QPainter painter(&target);
    QStaticText label("a label of the chart");

    label.setPerformanceHint(QStaticText::AggressiveCaching);
    for (long i = 0; i < rounds; i++)
        painter.drawStaticText(10, 2, label);
    return rounds;
}

static long widths_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        QFont font("Sans", 10);
        QFontMetrics metrics(font);

        sum += metrics.horizontalAdvance("a label of the chart") > 0;
    }
    return sum;
}

static long widths_repaired(long rounds)
{
    const QFontMetrics metrics(QFont("Sans", 10));
    const int width = metrics.horizontalAdvance("a label of the chart");
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += width > 0;
    return sum;
}

/* ---- documents and databases ------------------------------------------------------------- */

static QByteArray make_xml()
{
    QByteArray text = "<list>";

    for (int i = 0; i < 2000; i++)
        text += "<item id='" + QByteArray::number(i) + "'>value</item>";
    return text + "</list>";
}

static long dom_planted(long rounds)
{
    const QByteArray text = make_xml();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        QDomDocument document;

        document.setContent(text);
        sum += document.documentElement().firstChildElement().attribute("id").size() + 1999;
    }
    return sum;
}

static long dom_repaired(long rounds)
{
    const QByteArray text = make_xml();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        QXmlStreamReader reader(text);

        while (!reader.atEnd())
            sum += reader.readNext() == QXmlStreamReader::StartElement &&
                   reader.name() == QLatin1String("item");
    }
    return sum;
}

static long dom_list_planted(long rounds)
{
    QDomDocument document;
    long sum = 0;

    document.setContent(make_xml());
    for (long i = 0; i < rounds; i++) {
        QDomNodeList items = document.elementsByTagName("item");

        for (int j = 0; j < 2000; j++) {
            QDomElement item = items.at(j).toElement();

            item.setAttribute("seen", 1);
            document.documentElement().appendChild(item);
            sum++;
        }
    }
    return sum;
}

static long dom_list_repaired(long rounds)
{
    QDomDocument document;
    long sum = 0;

    document.setContent(make_xml());
    for (long i = 0; i < rounds; i++)
        for (QDomElement item = document.documentElement().firstChildElement("item");
             !item.isNull(); item = item.nextSiblingElement("item")) {
            item.setAttribute("seen", 1);
            sum++;
        }
    return sum;
}

static long folders_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += QDir("/usr/include").entryInfoList(QDir::Files, QDir::Size).size() > 0;
    return sum;
}

static long folders_repaired(long rounds)
{
    const QFileInfoList list = QDir("/usr/include").entryInfoList(QDir::Files, QDir::Size);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += list.size() > 0;
    return sum;
}

static long values_planted(long rounds)
{
    QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE");
    long sum = 0;

    database.setDatabaseName(":memory:");
    database.open();
    database.exec("create table t (id integer, price real, name text)");
    for (long i = 0; i < rounds; i++) {
        QSqlQuery query;

        query.exec(QString("insert into t values (%1, 1.5, 'name')").arg(i));
        sum++;
    }
    return sum;
}

static long values_repaired(long rounds)
{
    QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE");
    long sum = 0;

    database.setDatabaseName(":memory:");
    database.open();
    database.exec("create table t (id integer, price real, name text)");
    database.transaction();

    QSqlQuery query;

    query.prepare("insert into t values (?, 1.5, 'name')");
    for (long i = 0; i < rounds; i++) {
        query.bindValue(0, (int)i);
        query.exec();
        sum++;
    }
    database.commit();
    return sum;
}

static const struct plant plants[] = {
    PLANT(connects), PLANT(tasks),   PLANT(managers), PLANT(variants), PLANT(proxy),
    PLANT(tree),     PLANT(log),     PLANT(style),    PLANT(scene),    PLANT(converted),
    PLANT(paths),    PLANT(lines),   PLANT(labels),   PLANT(widths),   PLANT(dom),
    PLANT(dom_list), PLANT(folders), PLANT(values)};

int main(int argc, char **argv)
{
    setenv("QT_QPA_PLATFORM", "offscreen", 1);

    QApplication application(argc, argv);

    QLocale::setDefault(QLocale(QLocale::German));
    return RUN_PLANTS(plants, argc, argv);
}
