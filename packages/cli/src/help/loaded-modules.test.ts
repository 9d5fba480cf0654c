import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const main = join(import.meta.dirname, '../main.ts')
/** Writes the address of each module that the process loads, one on each line of stderr. */
const listModules = `import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    if (!url.startsWith('node:')) process.stderr.write(url + '\\n')
    return next(url, context)
  },
})`

async function modulesOf(...words: string[]): Promise<string[]> {
  const hook = `data:text/javascript,${encodeURIComponent(listModules)}`
  const options = ['--conditions=@signalbox/source', '--import', hook]
  const { stderr } = await run(process.execPath, [...options, main, ...words], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
  })
  return stderr.trim().split('\n')
}

// Each module costs a third of a millisecond of a person's wait. The contract alone has 50.
it('a command loads its own modules, and the overview none of a command', async () => {
  const [overview, set, scan, imports] = await Promise.all([
    modulesOf('--help'),
    modulesOf('set', '--help'),
    modulesOf('scan', '--help'),
    modulesOf('import', '--help'),
  ])
  expect(overview.length).toBeLessThanOrEqual(82)
  expect(overview.filter((url) => url.includes('/commands/'))).toEqual([
    expect.stringContaining('completion-scripts.ts'),
  ])
  for (const own of [set, scan]) {
    expect(own.length).toBeLessThanOrEqual(140)
    expect(own.filter((url) => /\/importers\/|\/yaml\//.test(url))).toEqual([])
  }
  // Control: they are counted where a command needs them.
  expect(imports.length).toBeGreaterThan(200)
  expect(imports.join('\n')).toMatch(/\/importers\/[^]*\/yaml\//)
})
