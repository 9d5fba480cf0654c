import chromium from '@sparticuz/chromium'

/** Unpacks the browser before workers start it side by side: a program that is still being written cannot be started. */
export default async function setup(): Promise<void> {
  await chromium.executablePath()
}
