// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plants of well-known costs of Boost.Geometry, GEOS, PROJ, GDAL, CGAL and Eigen, and their
// repaired twins, which print the same.
#include <CGAL/Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/multi_polygon.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <boost/geometry/geometries/polygon.hpp>
#include <gdal.h>
#include <geos_c.h>
#include <ogr_api.h>
#include <proj.h>

#include <cmath>
#include <vector>

#include "plants.h"

namespace bg = boost::geometry;
using point = bg::model::d2::point_xy<double>;
using polygon = bg::model::polygon<point>;

// ---- Boost.Geometry --------------------------------------------------------------------------

static polygon make_circle(double x, double y, double radius, int count)
{
    polygon made;

    for (int i = 0; i <= count; i++) {
        const double angle = -2 * M_PI * (i % count) / count;

        bg::append(made, point(x + radius * std::cos(angle), y + radius * std::sin(angle)));
    }
    return made;
}

static long within_planted(long rounds)
{
    const polygon area = make_circle(0, 0, 10, 2000);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += bg::within(point(20 + (double)(i % 10), (double)(i % 7)), area);
    return sum;
}

static long within_repaired(long rounds)
{
    const polygon area = make_circle(0, 0, 10, 2000);
    const auto box = bg::return_envelope<bg::model::box<point>>(area);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        const double x = 20 + (double)(i % 10), y = (double)(i % 7);

        sum += x < box.max_corner().x() && y < box.max_corner().y();
    }
    return sum;
}

static long unions_planted(long rounds)
{
    bg::model::multi_polygon<polygon> all;

    for (long i = 0; i < rounds; i++) {
        bg::model::multi_polygon<polygon> next;

        bg::union_(all, make_circle((double)(i * 7 % 1000), (double)(i * 91 % 1000), 3, 16), next);
        all = std::move(next);
    }
    return !all.empty();
}

static long unions_repaired(long rounds)
{
    std::vector<bg::model::multi_polygon<polygon>> parts;

    for (long i = 0; i < rounds; i++) {
        parts.emplace_back();
        parts.back().push_back(make_circle((double)(i * 7 % 1000), (double)(i * 91 % 1000), 3, 16));
    }
    for (; parts.size() > 1; parts.resize((parts.size() + 1) / 2))
        for (size_t i = 0, j = parts.size() - 1; i < j; i++, j--) {
            bg::model::multi_polygon<polygon> next;

            bg::union_(parts[i], parts[j], next);
            parts[i] = std::move(next);
        }
    return !parts[0].empty();
}

// ---- GEOS ------------------------------------------------------------------------------------

static GEOSGeometry *geos_circle(double x, double y, double radius, int count)
{
    GEOSGeometry *centre = GEOSGeom_createPointFromXY(x, y);
    GEOSGeometry *circle = GEOSBuffer(centre, radius, count / 4);

    GEOSGeom_destroy(centre);
    return circle;
}

static long contains_planted(long rounds)
{
    initGEOS(nullptr, nullptr);

    GEOSGeometry *area = geos_circle(0, 0, 10, 2000);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GEOSGeometry *place = GEOSGeom_createPointFromXY((double)(i % 10), (double)(i % 7));

        sum += GEOSContains(area, place);
        GEOSGeom_destroy(place);
    }
    return sum;
}

static long contains_repaired(long rounds)
{
    initGEOS(nullptr, nullptr);

    const GEOSPreparedGeometry *area = GEOSPrepare(geos_circle(0, 0, 10, 2000));
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GEOSGeometry *place = GEOSGeom_createPointFromXY((double)(i % 10), (double)(i % 7));

        sum += GEOSPreparedContains(area, place);
        GEOSGeom_destroy(place);
    }
    return sum;
}

static long geos_unions_planted(long rounds)
{
    initGEOS(nullptr, nullptr);

    GEOSGeometry *all = geos_circle(0, 0, 3, 16);

    for (long i = 1; i < rounds; i++) {
        GEOSGeometry *one = geos_circle((double)(i * 7 % 1000), (double)(i * 91 % 1000), 3, 16);
        GEOSGeometry *next = GEOSUnion(all, one);

        GEOSGeom_destroy(one);
        GEOSGeom_destroy(all);
        all = next;
    }
    return !GEOSisEmpty(all);
}

static long geos_unions_repaired(long rounds)
{
    initGEOS(nullptr, nullptr);

    std::vector<GEOSGeometry *> parts;

    for (long i = 0; i < rounds; i++)
        parts.push_back(geos_circle((double)(i * 7 % 1000), (double)(i * 91 % 1000), 3, 16));

    GEOSGeometry *together =
        GEOSGeom_createCollection(GEOS_MULTIPOLYGON, parts.data(), (unsigned)parts.size());

    return !GEOSisEmpty(GEOSUnaryUnion(together));
}

static long wkt_planted(long rounds)
{
    initGEOS(nullptr, nullptr);

    char *text = GEOSGeomToWKT(geos_circle(0, 0, 10, 400));
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GEOSGeometry *area = GEOSGeomFromWKT(text);

        sum += !GEOSisEmpty(area);
        GEOSGeom_destroy(area);
    }
    return sum;
}

static long wkt_repaired(long rounds)
{
    initGEOS(nullptr, nullptr);

    size_t size;
    unsigned char *bytes = GEOSGeomToWKB_buf(geos_circle(0, 0, 10, 400), &size);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        GEOSGeometry *area = GEOSGeomFromWKB_buf(bytes, size);

        sum += !GEOSisEmpty(area);
        GEOSGeom_destroy(area);
    }
    return sum;
}

// ---- PROJ and GDAL ----------------------------------------------------------------------------

static PJ *make_projection()
{
    return proj_create_crs_to_crs(PJ_DEFAULT_CTX, "EPSG:4326", "EPSG:32633", nullptr);
}

static long projections_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        PJ *projection = make_projection();

        sum += proj_trans(projection, PJ_FWD, proj_coord(50, 15, 0, 0)).xy.x > 0;
        proj_destroy(projection);
    }
    return sum;
}

static long projections_repaired(long rounds)
{
    PJ *projection = make_projection();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += proj_trans(projection, PJ_FWD, proj_coord(50, 15, 0, 0)).xy.x > 0;
    proj_destroy(projection);
    return sum;
}

static GDALDatasetH make_raster()
{
    GDALAllRegister();
    return GDALCreate(GDALGetDriverByName("MEM"), "", 400, 400, 1, GDT_Float32, nullptr);
}

static long raster_planted(long rounds)
{
    GDALRasterBandH band = GDALGetRasterBand(make_raster(), 1);
    double sum = 1;

    for (long i = 0; i < rounds; i++)
        for (int y = 0; y < 400; y++)
            for (int x = 0; x < 400; x++) {
                float value;

                if (GDALRasterIO(band, GF_Read, x, y, 1, 1, &value, 1, 1, GDT_Float32, 0, 0) ==
                    CE_None)
                    sum += (double)value;
            }
    return (long)sum;
}

static long raster_repaired(long rounds)
{
    GDALRasterBandH band = GDALGetRasterBand(make_raster(), 1);
    std::vector<float> line(400);
    double sum = 1;

    for (long i = 0; i < rounds; i++)
        for (int y = 0; y < 400; y++)
            if (GDALRasterIO(band, GF_Read, 0, y, 400, 1, line.data(), 400, 1, GDT_Float32, 0, 0) ==
                CE_None)
                for (float value : line)
                    sum += (double)value;
    return (long)sum;
}

static OGRFeatureH make_feature()
{
    OGRFeatureDefnH fields = OGR_FD_Create("things");

    for (int i = 0; i < 30; i++) {
        char name[20];

        snprintf(name, sizeof name, "field_%d", i);
        OGR_FD_AddFieldDefn(fields, OGR_Fld_Create(name, OFTInteger));
    }

    OGRFeatureH feature = OGR_F_Create(fields);

    OGR_F_SetFieldInteger(feature, 25, 7);
    return feature;
}

static long fields_planted(long rounds)
{
    OGRFeatureH feature = make_feature();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += OGR_F_GetFieldAsInteger(feature, OGR_F_GetFieldIndex(feature, "field_25"));
    return sum;
}

static long fields_repaired(long rounds)
{
    OGRFeatureH feature = make_feature();
    const int field = OGR_F_GetFieldIndex(feature, "field_25");
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += OGR_F_GetFieldAsInteger(feature, field);
    return sum;
}

// ---- CGAL ------------------------------------------------------------------------------------

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using triangulation = CGAL::Delaunay_triangulation_2<kernel>;

static std::vector<kernel::Point_2> make_points(long count)
{
    std::vector<kernel::Point_2> points;
    unsigned state = 1;

    for (long i = 0; i < count; i++) {
        const double x = (state = state * 1664525 + 1013904223),
                     y = (state = state * 1664525 + 1013904223);

        points.emplace_back(x, y);
    }
    return points;
}

static long mesh_planted(long rounds)
{
    triangulation mesh;

    for (const kernel::Point_2 &place : make_points(rounds))
        mesh.insert(place);
    return (long)mesh.number_of_vertices();
}

static long mesh_repaired(long rounds)
{
    const std::vector<kernel::Point_2> points = make_points(rounds);
    triangulation mesh(points.begin(), points.end());

    return (long)mesh.number_of_vertices();
}

// ---- Eigen -----------------------------------------------------------------------------------

static Eigen::MatrixXd make_matrix(long size)
{
    Eigen::MatrixXd made(size, size);

    for (long i = 0; i < size; i++)
        for (long j = 0; j < size; j++)
            made(i, j) = i == j ? (double)size : 1.0 / (double)(i + j + 1);
    return made;
}

static long inverse_planted(long rounds)
{
    const Eigen::MatrixXd matrix = make_matrix(rounds);
    const Eigen::VectorXd right = Eigen::VectorXd::Ones(rounds);

    return (matrix.inverse() * right).norm() > 0;
}

static long inverse_repaired(long rounds)
{
    const Eigen::MatrixXd matrix = make_matrix(rounds);
    const Eigen::VectorXd right = Eigen::VectorXd::Ones(rounds);

    return matrix.llt().solve(right).norm() > 0;
}

static long symmetric_planted(long rounds)
{
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(make_matrix(rounds));

    return solver.eigenvalues().real().maxCoeff() > 0;
}

static long symmetric_repaired(long rounds)
{
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(make_matrix(rounds));

    return solver.eigenvalues().maxCoeff() > 0;
}

static Eigen::SparseMatrix<double> make_grid(int side)
{
    std::vector<Eigen::Triplet<double>> entries;

    for (int i = 0; i < side * side; i++) {
        entries.emplace_back(i, i, 5);
        for (int step : {-side, -1, 1, side})
            if (i + step >= 0 && i + step < side * side)
                entries.emplace_back(i, i + step, -1);
    }

    Eigen::SparseMatrix<double> made(side * side, side * side);

    made.setFromTriplets(entries.begin(), entries.end());
    return made;
}

static long sparse_qr_planted(long rounds)
{
    const Eigen::SparseMatrix<double> grid = make_grid((int)rounds);
    Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> solver;

    solver.compute(grid);
    return solver.solve(Eigen::VectorXd::Ones(grid.rows())).norm() > 0;
}

static long sparse_qr_repaired(long rounds)
{
    const Eigen::SparseMatrix<double> grid = make_grid((int)rounds);
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(grid);

    return solver.solve(Eigen::VectorXd::Ones(grid.rows())).norm() > 0;
}

static const struct plant plants[] = {PLANT(within),      PLANT(unions),    PLANT(contains),
                                      PLANT(geos_unions), PLANT(wkt),       PLANT(projections),
                                      PLANT(raster),      PLANT(fields),    PLANT(mesh),
                                      PLANT(inverse),     PLANT(symmetric), PLANT(sparse_qr)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
