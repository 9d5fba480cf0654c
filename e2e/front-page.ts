import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'

const built = join(import.meta.dirname, '../packages/server/public')

/** Limits the scripts and styles of the front page together, compressed with gzip: P11. */
export const frontPageLimitKb = 200

/** A file of the dashboard's build by its path, such as `/assets/index.css`, and what it is compressed with gzip. */
export type LoadedFile = readonly [path: string, kb: number]

/** The scripts and styles that are loaded until a page stands still. */
export async function measureLoad(page: Page, address: string): Promise<readonly LoadedFile[]> {
  const paths = new Set<string>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (/\.(?:js|css)$/.test(pathname)) paths.add(pathname)
  })
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  return [...paths].map((path) => [path, sizeOf(path)] as const)
}

/** The scripts and styles that the page of the build names itself, to be loaded before anything runs. */
export function readIndexPage(): readonly string[] {
  const html = readFileSync(join(built, 'index.html'), 'utf8')
  return [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path = '']) => path)
}

/** Of several files together. */
export function sumKb(files: readonly LoadedFile[]): number {
  return files.reduce((sum, [, kb]) => sum + kb, 0)
}

function sizeOf(path: string): number {
  return gzipSync(readFileSync(join(built, path)), { level: 9 }).length / 1000
}
