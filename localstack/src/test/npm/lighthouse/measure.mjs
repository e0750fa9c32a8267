// Measures the console as whoever is signed in sees it.
// Reads {"chromium", "cookie", "url", "runs", "propose": {"url", "key", "body"}} from the file that is named; says, in
// milliseconds, how long each load took until the queue could be used, and each plan until it was on the screen of a page that
// was open; and how many bytes a first load takes.
import { readFileSync } from 'node:fs';
import { browse } from './browse.mjs';

const asked = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const [name, value] = asked.cookie.split('=', 2);
const { hostname } = new URL(asked.url);

/** In the page: when the queue was painted and the page had nothing else to do, since it was navigated to. */
function usable() {
  return new Promise((done) => {
    const look = () => {
      if (document.querySelector('a.plan-row'))
        requestAnimationFrame(() => setTimeout(() => requestIdleCallback(() => done(performance.now()))));
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** In the page: when a plan of this entity was painted. */
function shown(order) {
  return new Promise((done) => {
    const look = () => {
      if ([...document.querySelectorAll('a.plan-row')].some((row) => row.textContent.includes(`order ${order}`)))
        requestAnimationFrame(() => setTimeout(() => done(Date.now())));
      else requestAnimationFrame(look);
    };
    look();
  });
}

async function fresh(browser) {
  const context = await browser.createBrowserContext();
  await context.setCookie({ name, value, domain: hostname, path: '/', httpOnly: true, sameSite: 'Lax' });
  return [context, await context.newPage()];
}

async function load(browser) {
  const [context, page] = await fresh(browser);
  let bytes = 0;
  const session = await page.createCDPSession();
  const ours = new Set();
  await session.send('Network.enable');
  session.on('Network.responseReceived', (e) => /\/console(\/|$|\?)/.test(new URL(e.response.url).pathname) && ours.add(e.requestId));
  session.on('Network.loadingFinished', (e) => {
    if (ours.has(e.requestId)) bytes += e.encodedDataLength;
  });
  await page.goto(asked.url, { waitUntil: 'domcontentloaded' });
  const ms = await page.evaluate(usable);
  await context.close();
  return { ms, bytes };
}

async function propose(order) {
  const body = structuredClone(asked.propose.body);
  body.actions[0].args.order = order;
  body.actions[0].idempotency_key = `refund-${order}`;
  const answer = await fetch(asked.propose.url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${asked.propose.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
}

await browse(asked.chromium, async (browser) => {
  const loads = [];
  for (let run = 0; run < asked.runs; run++) loads.push(await load(browser));
  const [, page] = await fresh(browser);
  await page.goto(asked.url);
  await page.waitForFunction(() => document.documentElement.dataset.live === 'stream');
  const plans = [];
  for (let run = 0; run < asked.runs; run++) {
    const order = `9${String(run).padStart(3, '0')}`;
    const seen = page.evaluate(shown, order);
    const began = Date.now();
    await propose(order);
    const held = Date.now();
    const at = await seen;
    plans.push({ from_request: at - began, from_answer: Math.max(0, at - held) });
  }
  console.log(JSON.stringify({ loads, plans }));
});
