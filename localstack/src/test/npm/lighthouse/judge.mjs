// Has Lighthouse judge pages of the console as whoever is signed in sees them.
// Reads {"chromium", "cookie", "pages": [url], "categories": [name], "runs"} from the file that is named; says of each page the
// middle score of each category, from 0 to 100, and what was not all right.
import { readFileSync } from 'node:fs';
import lighthouse from 'lighthouse';
import { browse } from './browse.mjs';

const asked = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const middle = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

async function judge(port, page) {
  const scores = {};
  const wrong = new Set();
  for (let run = 0; run < asked.runs; run++) {
    const { lhr } = await lighthouse(page, {
      port,
      output: 'json',
      logLevel: 'error',
      onlyCategories: asked.categories,
      extraHeaders: { Cookie: asked.cookie },
    });
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    for (const [name, { score, auditRefs }] of Object.entries(lhr.categories)) {
      (scores[name] ??= []).push(Math.round(score * 100));
      for (const { id, weight } of auditRefs) {
        const { score: of, title, displayValue } = lhr.audits[id];
        if (weight && of !== null && of < 0.9) wrong.add(`${title} ${displayValue ?? ''}`.trim());
      }
    }
  }
  return { page, scores: Object.fromEntries(Object.entries(scores).map(([name, all]) => [name, middle(all)])), wrong: [...wrong] };
}

await browse(asked.chromium, async (browser) => {
  const port = Number(new URL(browser.wsEndpoint()).port);
  const found = [];
  for (const page of asked.pages) found.push(await judge(port, page));
  console.log(JSON.stringify(found));
});
