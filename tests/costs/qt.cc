// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plants of well-known costs of Qt, and their repaired twins, which print the same.
//
// usage: qt NAME planted|repaired ROUNDS
#include <QString>
#include <QVector>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

struct file {
    QString name;
    long size;
};

class folder
{
  public:
    explicit folder(int count)
    {
        for (int i = 0; i < count; i++)
            kept.append(file{QString::number(i), i});
    }
    QVector<file> files() const
    {
        return kept;
    }

  private:
    QVector<file> kept;
};

static long sum_planted(const folder &folder)
{
    long sum = 0;

    for (const file &file : folder.files())
        sum += file.size;
    return sum;
}

static long sum_repaired(const folder &folder)
{
    const QVector<file> files = folder.files();
    long sum = 0;

    for (const file &file : files)
        sum += file.size;
    return sum;
}

int main(int argc, char **argv)
{
    const bool is_planted = argc == 4 && std::strcmp(argv[2], "planted") == 0;
    const folder folder(20000);
    long sum = 0;

    if (argc != 4 || std::strcmp(argv[1], "loop") != 0)
        return 2;
    for (long i = 0; i < std::atol(argv[3]); i++)
        sum += is_planted ? sum_planted(folder) : sum_repaired(folder);
    std::printf("%ld\n", sum);
    return 0;
}
