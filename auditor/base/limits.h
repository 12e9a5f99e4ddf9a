/*
 * Every limit on what is believed of an input, in one place. Exceeding one is a gap of kind `limit`
 * that names it; it is never silent. Sizes are bytes, the others are counts.
 */
#pragma once

#define EA_LIMIT_PATH	       4096u	  /* PATH_MAX of Linux, with the final NUL */
#define EA_LIMIT_LINKS	       40u	  /* symbolic links on one path, as in the kernel */
#define EA_LIMIT_DEPTH	       128u	  /* folders below a target */
#define EA_LIMIT_PHDRS	       4096u	  /* program headers of one ELF file */
#define EA_LIMIT_DYNAMIC       65536u	  /* entries of one dynamic section */
#define EA_LIMIT_NEEDED	       4096u	  /* DT_NEEDED entries of one ELF file */
#define EA_LIMIT_STRING	       2097152u	  /* one string of an ELF string table (an RPATH, say) */
#define EA_LIMIT_STRINGS       4194304u	  /* all such strings of one ELF file that are kept */
#define EA_LIMIT_VERSIONS      65536u	  /* version definitions and needs of one ELF file */
#define EA_LIMIT_NOTES	       65536u	  /* bytes of one PT_NOTE segment that are read */
#define EA_LIMIT_SYMBOLS       16777216u  /* dynamic symbols of one ELF file */
#define EA_LIMIT_UNDEFINED     1048576u	  /* undefined ones that its relocations use */
#define EA_LIMIT_SYMBOL_NAMES  67108864u  /* bytes of their names */
#define EA_LIMIT_FATBINS       1048576u	  /* fatbin entries of one ELF file */
#define EA_LIMIT_METADATA      1048576u	  /* header of a METADATA or PKG-INFO file */
#define EA_LIMIT_RECORD	       268435456u /* a RECORD, installed-files.txt or dpkg list */
#define EA_LIMIT_JSON	       67108864u  /* one conda-meta record or direct_url.json */
#define EA_LIMIT_JSON_DEPTH    64u	  /* nesting of such a record */
#define EA_LIMIT_TEXT	       1048576u	  /* small text files: pyvenv.cfg, version.py, ld.so.conf */
#define EA_LIMIT_CONF_DEPTH    16u	  /* files that ld.so.conf includes, one in another */
#define EA_LIMIT_CONF_FILES    4096u	  /* such files in all */
#define EA_LIMIT_LD_CACHE      67108864u  /* ld.so.cache */
#define EA_LIMIT_EXTENSIONS    8u	  /* extensions of torch that are opened, of one target */
#define EA_LIMIT_TRIED_FIXES   16u    /* changes of the environment that are tried, of one target */
#define EA_LIMIT_RECORDS       65536u /* libraries that one package claims */
#define EA_LIMIT_PROGRAM       134217728u /* a program that is searched for its version (nvcc, libc) */
#define EA_LIMIT_DATABASE      134217728u /* a data base that has to be read whole */
#define EA_LIMIT_RPM_HEADER    67108864u  /* one package header of rpm */
#define EA_LIMIT_IMAGE_ENTRIES 4194304u	  /* entries of all layers of an image */
#define EA_LIMIT_MANIFEST      8388608u	  /* manifest, index or configuration of an image */
#define EA_LIMIT_LOG_LINE      16384u	  /* line of a log; a longer one is read in pieces */
#define EA_LIMIT_IMAGES	       4096u	  /* images in one archive, layers in one image */
