import chromiumFromNpm from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'

/**
 * Starts the Chromium that comes from npm, so that a machine without a browser runs the same tests.
 *
 * Without a sandbox, because tests run as root in containers, and without background traffic, which a closed
 * network would refuse many times a second.
 */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumFromNpm.executablePath(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...more,
    ],
  })
}

let shared: Promise<Browser> | undefined

/**
 * Starts one browser for all test files of a worker, which ends with the worker: to start one and to end it takes as long as
 * many a test. Close the contexts that you open in it, and not the browser.
 *
 * Its pages live for seconds: to optimize their scripts, and axe, costs more than that saves.
 */
export function shareBrowser(): Promise<Browser> {
  shared ??= openBrowser(['--js-flags=--no-opt'])
  return shared
}
