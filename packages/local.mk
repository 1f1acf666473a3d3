# SPDX-License-Identifier: GPL-3.0-or-later
#
# What packages have beside the programs: tprof.pc, and the completion of shells.

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = packages/tprof.pc

# Written by the analyzer.  A cross build takes the files of TPROF_FOR_BUILD, if there is one.
if WRITES_COMPLETION
bash_completiondir = $(datadir)/bash-completion/completions
bash_completion_DATA = packages/completion/tprof
zsh_completiondir = $(datadir)/zsh/site-functions
zsh_completion_DATA = packages/completion/_tprof
fish_completiondir = $(datadir)/fish/vendor_completions.d
fish_completion_DATA = packages/completion/tprof.fish

completion_files = $(bash_completion_DATA) $(zsh_completion_DATA) $(fish_completion_DATA)
write_completion = $(MKDIR_P) packages/completion && \
  $(TPROF_FOR_BUILD) list --completion $$shell > $@.new && mv $@.new $@

packages/completion/tprof: analyzer/tprof$(EXEEXT)
	$(AM_V_GEN)shell=bash && $(write_completion)
packages/completion/_tprof: analyzer/tprof$(EXEEXT)
	$(AM_V_GEN)shell=zsh && $(write_completion)
packages/completion/tprof.fish: analyzer/tprof$(EXEEXT)
	$(AM_V_GEN)shell=fish && $(write_completion)
CLEANFILES += $(completion_files)
endif

EXTRA_DIST += \
  packages/build.sh \
  packages/debian \
  packages/musl_system.sh \
  packages/no_loading.c \
  packages/old_glibc.c \
  packages/targets.table \
  packages/wheel.py
