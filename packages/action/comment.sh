#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Comments on the pull request, or changes the comment of an earlier run, by curl and jq, which
# GitHub's runners have.  The token of a pull request from a fork may not comment: that fails no
# job.  The token never is an argument, which other processes could read.
set -eu
marker='<!-- tprof gate -->'
most=60000 # GitHub takes 65,536 characters
page_size=100
comment=$RUNNER_TEMP/tprof/comment.json

ask() {
    printf 'Authorization: Bearer %s\nAccept: application/vnd.github+json\n' "$INPUT_TOKEN" |
        curl -fsS -H @- "$@"
}

# The address of our comment; nothing: there is none.
find_comment() {
    page=1
    while :; do
        ask "$comments?per_page=$page_size&page=$page" > "$comment.page" || return
        jq -r --arg marker "$marker" \
            '[.[] | select(.body | startswith($marker)).url][0] // empty' "$comment.page" > "$comment.url"
        [ ! -s "$comment.url" ] || break
        [ "$(jq length "$comment.page")" -eq "$page_size" ] || break
        page=$((page + 1))
    done
    cat "$comment.url"
}

refused() {
    echo "::notice title=tprof::The comment could not be written. The token needs the permission" \
        "pull-requests write, which pull requests from forks do not have."
    exit 0
}

for tool in curl jq; do
    command -v "$tool" > /dev/null || {
        echo "::notice title=tprof::There is no comment, as this runner has no $tool."
        exit 0
    }
done
number=$(jq -r '.pull_request.number // empty' "$GITHUB_EVENT_PATH")
if [ -z "$number" ]; then
    echo "This run is of no pull request, so there is no comment."
    exit 0
fi
comments=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues/$number/comments
# The summary of the job has the folded table of all checks.
sed '/^<details>/,/^<\/details>/d' "$INPUT_REPORT" |
    jq -Rs --arg marker "$marker" --argjson most "$most" '{body: ($marker + "\n" + .)[0:$most]}' > "$comment"
old=$(find_comment) || refused
if [ -n "$old" ]; then
    ask -X PATCH --data "@$comment" "$old" > /dev/null || refused
else
    ask -X POST --data "@$comment" "$comments" > /dev/null || refused
fi
