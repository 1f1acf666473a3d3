# SPDX-License-Identifier: GPL-3.0-or-later
#
# The samples: programs that print their own truth, for the tests and for a
# first look at the profiler.

# A contracted multiply-add rounds once where two operations round twice, and
# whether the compiler contracts depends on what it inlines: without it both
# builds of a model print the same bits.
samples_cflags = $(STRICT_CFLAGS) -ffp-contract=off

samples_annotated_cppflags = $(plain_cppflags) -DWITH_TPROF

noinst_PROGRAMS += samples/leak

samples_leak_SOURCES = samples/leak.c
samples_leak_CPPFLAGS = $(plain_cppflags)
# The compiler may leave out an allocation whose bytes nobody reads.
samples_leak_CFLAGS = $(STRICT_CFLAGS) -fno-builtin

if HAVE_CBLAS

# What the models share, with and without annotations.
noinst_LIBRARIES += samples/libmodel.a samples/libmodel_annotated.a

samples_libmodel_a_SOURCES = \
  samples/annotate.h \
  samples/arena.c \
  samples/arena.h \
  samples/model.c \
  samples/model.h \
  samples/naive.c \
  samples/naive.h \
  samples/nn.c \
  samples/nn.h \
  samples/options.c \
  samples/options.h \
  samples/random.c \
  samples/random.h \
  samples/truth.c \
  samples/truth.h \
  samples/workers.c \
  samples/workers.h
samples_libmodel_a_CPPFLAGS = $(plain_cppflags)
samples_libmodel_a_CFLAGS = $(samples_cflags)

samples_libmodel_annotated_a_SOURCES = $(samples_libmodel_a_SOURCES)
samples_libmodel_annotated_a_CPPFLAGS = $(samples_annotated_cppflags)
samples_libmodel_annotated_a_CFLAGS = $(samples_cflags)

samples_model_libs = $(BLAS_LIBS) -lm -lpthread

noinst_PROGRAMS += \
  samples/cnn \
  samples/cnn_annotated \
  samples/forks \
  samples/mlp \
  samples/mlp_annotated \
  samples/transformer \
  samples/transformer_annotated \
  samples/tworoutes

samples_mlp_SOURCES = samples/mlp.c
samples_mlp_CPPFLAGS = $(plain_cppflags)
samples_mlp_CFLAGS = $(samples_cflags)
samples_mlp_LDADD = samples/libmodel.a $(samples_model_libs)

samples_mlp_annotated_SOURCES = $(samples_mlp_SOURCES)
samples_mlp_annotated_CPPFLAGS = $(samples_annotated_cppflags)
samples_mlp_annotated_CFLAGS = $(samples_cflags)
samples_mlp_annotated_LDADD = samples/libmodel_annotated.a $(samples_model_libs)

samples_cnn_SOURCES = \
  samples/cnn.c \
  samples/convolution.c \
  samples/convolution.h
samples_cnn_CPPFLAGS = $(plain_cppflags)
samples_cnn_CFLAGS = $(samples_cflags)
samples_cnn_LDADD = samples/libmodel.a $(samples_model_libs)

samples_cnn_annotated_SOURCES = $(samples_cnn_SOURCES)
samples_cnn_annotated_CPPFLAGS = $(samples_annotated_cppflags)
samples_cnn_annotated_CFLAGS = $(samples_cflags)
samples_cnn_annotated_LDADD = samples/libmodel_annotated.a $(samples_model_libs)

samples_transformer_SOURCES = \
  samples/attention.c \
  samples/attention.h \
  samples/transformer.c
samples_transformer_CPPFLAGS = $(plain_cppflags)
samples_transformer_CFLAGS = $(samples_cflags)
samples_transformer_LDADD = samples/libmodel.a $(samples_model_libs)

samples_transformer_annotated_SOURCES = $(samples_transformer_SOURCES)
samples_transformer_annotated_CPPFLAGS = $(samples_annotated_cppflags)
samples_transformer_annotated_CFLAGS = $(samples_cflags)
samples_transformer_annotated_LDADD = samples/libmodel_annotated.a $(samples_model_libs)

samples_forks_SOURCES = \
  samples/forks.c \
  samples/truth.c \
  samples/truth.h
samples_forks_CPPFLAGS = $(plain_cppflags)
samples_forks_CFLAGS = $(STRICT_CFLAGS)
samples_forks_LDADD = $(BLAS_LIBS)

# No BLAS of its own: the plugins bring theirs.  They need only cblas.h.
samples_tworoutes_SOURCES = samples/plugin.h samples/tworoutes.c
samples_tworoutes_CPPFLAGS = $(plain_cppflags)
samples_tworoutes_CFLAGS = $(STRICT_CFLAGS)
samples_tworoutes_LDADD = -ldl

# -rpath makes libtool build a shared object of a library that is not
# installed.  The call to cblas_sgemm must go through the PLT, so the
# plugins are not linked with -Bsymbolic.
check_LTLIBRARIES += samples/plugin_a.la samples/plugin_b.la
samples_plugin_ldflags = -module -avoid-version -shared -rpath /nowhere
samples_plugin_cflags = $(STRICT_CFLAGS) -fvisibility=default -fsemantic-interposition

samples_plugin_a_la_SOURCES = samples/plugin.c samples/plugin.h
samples_plugin_a_la_CPPFLAGS = $(plain_cppflags) -DPLUGIN_FACTOR=1.0f
samples_plugin_a_la_CFLAGS = $(samples_plugin_cflags)
samples_plugin_a_la_LDFLAGS = $(samples_plugin_ldflags)

samples_plugin_b_la_SOURCES = samples/plugin.c samples/plugin.h
samples_plugin_b_la_CPPFLAGS = $(plain_cppflags) -DPLUGIN_FACTOR=2.0f
samples_plugin_b_la_CFLAGS = $(samples_plugin_cflags)
samples_plugin_b_la_LDFLAGS = $(samples_plugin_ldflags)

endif
