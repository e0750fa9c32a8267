// No sentence has more than 30 words. A sentence of prose, a heading or a cell ends at a full stop
// before anything but a small letter; what stands in backticks is one word.
const MAX = 30;

const text = (node) =>
  node.type === "Code"
    ? `\`${node.value.replaceAll(/\s/g, "_")}\``
    : (node.children?.map(text).join("") ?? (node.type === "Str" ? node.value : " "));

module.exports = ({ Syntax, RuleError, report }) => {
  const check = (node) => {
    for (const sentence of text(node).split(/(?<=[.?!]["')]*)\s+(?![a-z])/)) {
      const words = sentence.split(/\s+/).filter((word) => /\w/.test(word));
      if (words.length > MAX) {
        report(node, new RuleError(`${words.length} words: ${words.join(" ")}`));
      }
    }
  };
  return { [Syntax.Paragraph]: check, [Syntax.Header]: check, [Syntax.TableCell]: check };
};
