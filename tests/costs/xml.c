/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of libxml2 and expat.
 */
#include <expat.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlreader.h>
#include <libxml/xmlschemas.h>

#include "plants.h"

/* Returns: a document of so many rows. */
static char *make_text(long rows, int *size)
{
    char *text = malloc((size_t)rows * 64 + 64), *end = text;

    end += sprintf(end, "<rows>");
    for (long i = 0; i < rows; i++)
        end += sprintf(end, "<row id='%ld'><a>1</a><b>2</b><c>3</c></row>", i);
    end += sprintf(end, "</rows>");
    *size = (int)(end - text);
    return text;
}

static long tree_planted(long rounds)
{
    int size;
    char *text = make_text(rounds, &size);
    xmlDoc *document = xmlReadMemory(text, size, NULL, NULL, XML_PARSE_HUGE);
    long count = (long)xmlChildElementCount(xmlDocGetRootElement(document));

    xmlFreeDoc(document);
    free(text);
    return count;
}

static long tree_repaired(long rounds)
{
    int size;
    char *text = make_text(rounds, &size);
    xmlTextReader *reader = xmlReaderForMemory(text, size, NULL, NULL, XML_PARSE_HUGE);
    long count = 0;

    while (xmlTextReaderRead(reader) == 1)
        count += xmlTextReaderDepth(reader) == 1 &&
                 xmlTextReaderNodeType(reader) == XML_READER_TYPE_ELEMENT;
    xmlFreeTextReader(reader);
    free(text);
    return count;
}

static xmlDoc *make_document(long rows)
{
    int size;
    char *text = make_text(rows, &size);
    xmlDoc *document = xmlReadMemory(text, size, NULL, NULL, 0);

    free(text);
    return document;
}

static long content_planted(long rounds)
{
    xmlDoc *document = make_document(100);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (xmlNode *row = xmlDocGetRootElement(document)->children; row; row = row->next) {
            xmlChar *id = xmlGetProp(row, BAD_CAST "id"), *content;

            content = xmlNodeGetContent(row->children);
            sum += atol((char *)id) + atol((char *)content);
            xmlFree(id);
            xmlFree(content);
        }
    xmlFreeDoc(document);
    return sum;
}

static long content_repaired(long rounds)
{
    xmlDoc *document = make_document(100);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (xmlNode *row = xmlDocGetRootElement(document)->children; row; row = row->next)
            sum += atol((char *)row->properties->children->content) +
                   atol((char *)row->children->children->content);
    xmlFreeDoc(document);
    return sum;
}

static long concat_planted(long rounds)
{
    xmlChar *text = xmlStrdup(BAD_CAST "");
    long size;

    for (long i = 0; i < rounds; i++)
        text = xmlStrcat(text, BAD_CAST "<item/>");
    size = xmlStrlen(text);
    xmlFree(text);
    return size;
}

static long concat_repaired(long rounds)
{
    xmlBuffer *buffer = xmlBufferCreate();
    long size;

    for (long i = 0; i < rounds; i++)
        xmlBufferAdd(buffer, BAD_CAST "<item/>", 7);
    size = xmlBufferLength(buffer);
    xmlBufferFree(buffer);
    return size;
}

static long path_planted(long rounds)
{
    xmlDoc *document = make_document(2000);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (xmlNode *row = xmlDocGetRootElement(document)->children; row; row = row->next) {
            xmlChar *path = xmlGetNodePath(row);

            sum += xmlStrlen(path);
            xmlFree(path);
        }
    xmlFreeDoc(document);
    return sum;
}

static long path_repaired(long rounds)
{
    xmlDoc *document = make_document(2000);
    char path[40];
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        int place = 1;

        for (xmlNode *row = xmlDocGetRootElement(document)->children; row; row = row->next)
            sum += sprintf(path, "/rows/row[%d]", place++);
    }
    xmlFreeDoc(document);
    return sum;
}

static const char schema_text[] =
    "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='rows'>"
    "<xs:complexType><xs:sequence><xs:element name='row' maxOccurs='unbounded'>"
    "<xs:complexType><xs:sequence><xs:element name='a' type='xs:integer'/>"
    "<xs:element name='b' type='xs:integer'/><xs:element name='c' type='xs:integer'/>"
    "</xs:sequence><xs:attribute name='id' type='xs:integer'/></xs:complexType></xs:element>"
    "</xs:sequence></xs:complexType></xs:element></xs:schema>";

static xmlSchema *read_schema(void)
{
    xmlSchemaParserCtxt *context = xmlSchemaNewMemParserCtxt(schema_text, sizeof schema_text - 1);
    xmlSchema *schema = xmlSchemaParse(context);

    xmlSchemaFreeParserCtxt(context);
    return schema;
}

static int validate(xmlSchema *schema, xmlDoc *document)
{
    xmlSchemaValidCtxt *context = xmlSchemaNewValidCtxt(schema);
    int result = xmlSchemaValidateDoc(context, document);

    xmlSchemaFreeValidCtxt(context);
    return result;
}

static long schema_planted(long rounds)
{
    xmlDoc *document = make_document(3);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        xmlSchema *schema = read_schema();

        sum += validate(schema, document) == 0;
        xmlSchemaFree(schema);
    }
    xmlFreeDoc(document);
    return sum;
}

static long schema_repaired(long rounds)
{
    xmlDoc *document = make_document(3);
    xmlSchema *schema = read_schema();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += validate(schema, document) == 0;
    xmlSchemaFree(schema);
    xmlFreeDoc(document);
    return sum;
}

/* ---- expat ------------------------------------------------------------------------------ */

static const char message[] = "<m id='1'>go</m>";

static void count_element(void *count, const XML_Char *name, const XML_Char **attributes)
{
    (void)name, (void)attributes;
    ++*(long *)count;
}

static void parse_message(XML_Parser parser, long *count)
{
    XML_SetUserData(parser, count);
    XML_SetStartElementHandler(parser, count_element);
    XML_Parse(parser, message, sizeof message - 1, XML_TRUE);
}

static long parser_planted(long rounds)
{
    long count = 0;

    for (long i = 0; i < rounds; i++) {
        XML_Parser parser = XML_ParserCreate(NULL);

        parse_message(parser, &count);
        XML_ParserFree(parser);
    }
    return count;
}

static long parser_repaired(long rounds)
{
    XML_Parser parser = XML_ParserCreate(NULL);
    long count = 0;

    for (long i = 0; i < rounds; i++) {
        XML_ParserReset(parser, NULL);
        parse_message(parser, &count);
    }
    XML_ParserFree(parser);
    return count;
}

static void count_byte(void *of, const char *text, int size)
{
    (void)text;
    *(long *)of += size;
}

/* A document with one long comment, in pieces of so many bytes; 0: in one. */
static long parse_pieces(long kib, int piece)
{
    static const char head[] = "<row><!--", tail[] = "-->end</row>";
    const size_t size = sizeof head - 1 + ((size_t)kib << 10) + sizeof tail - 1;
    char *text = malloc(size);
    XML_Parser parser = XML_ParserCreate(NULL);
    long count = 0;

    memset(text, 'x', size);
    memcpy(text, head, sizeof head - 1);
    memcpy(text + size - (sizeof tail - 1), tail, sizeof tail - 1);
    XML_SetUserData(parser, &count);
    XML_SetCharacterDataHandler(parser, count_byte);
    for (size_t at = 0; at<size; at += piece> 0 ? (size_t)piece : size) {
        size_t left = size - at, now = piece > 0 && left > (size_t)piece ? (size_t)piece : left;

        XML_Parse(parser, text + at, (int)now, now == left);
    }
    XML_ParserFree(parser);
    free(text);
    return count;
}

static long pieces_planted(long rounds)
{
    return parse_pieces(rounds, 1024);
}

static long pieces_repaired(long rounds)
{
    return parse_pieces(rounds, 0);
}

static const struct plant plants[] = {PLANT(tree),   PLANT(content), PLANT(concat), PLANT(path),
                                      PLANT(schema), PLANT(parser),  PLANT(pieces)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
