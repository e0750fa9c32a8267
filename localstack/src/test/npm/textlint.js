// How textlint reads what people read: pages, changelog, and the texts of the published document. The
// rule for the length of a sentence is textlint/sentence-length.js. An exception is a comment with its
// reason: <!-- textlint-disable sentence-length -- why -->, and after it <!-- textlint-enable -->.
const { readFileSync } = require("node:fs");

// PlainEnglishTest reads this list too.
const neverRight = readFileSync(`${__dirname}/../resources/never-right.txt`, "utf8").trim().split("\n");

module.exports = {
  filters: { comments: true },
  rules: {
    "@textlint-rule/pattern": {
      patterns: neverRight.map((words) => ({
        pattern: `/\\b${words.replaceAll(" ", "\\s+")}\\b/i`,
        message: `"${words}" is never right (never-right.txt).`,
      })),
    },
  },
};
