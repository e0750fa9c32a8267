// Opens a browser for as long as something is done with it.
import puppeteer from 'puppeteer-core';

export async function browse(executablePath, what) {
  const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await what(browser);
  } finally {
    await browser.close();
  }
}
