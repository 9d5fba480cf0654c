import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createFromTemplate,
  firstBlock,
  forJest,
  listBlocks,
  listInstalled,
  unknownKeys,
  type TemplateProject,
} from './template-project.ts'

const template =
  'npx create-next-app@16.4.3 app --ts --app --no-eslint --no-tailwind --no-src-dir --no-react-compiler --disable-git --skip-install --use-npm --import-alias "@/*"'

let app: TemplateProject

beforeAll(async () => {
  app = await createFromTemplate(template)
  // One installation takes half as long as two.
  const tools = listBlocks('tests').map(listInstalled).join(' ')
  const { code, output } = await app.run(`${firstBlock('next', 'sh')} ${tools}`)
  if (code !== 0) throw new Error(output)
  await app.writeShown('next', 'examples/next-app')
}, 240_000)

afterAll(() => app?.remove())

/** Nobody answers at this address. */
const env = {
  SIGNALBOX_CONFIG_URL: 'http://127.0.0.1:9',
  SIGNALBOX_ORGANIZATION: 'acme',
  SIGNALBOX_BROWSER_KEY: unknownKeys.browserKey,
  SIGNALBOX_TOKEN: unknownKeys.serverKey,
  CONFIG_WEBHOOK_SECRET: `whsec_${btoa('x'.repeat(32))}`,
}

/** Returns what a build says, which ends with the code. */
async function build(): Promise<string> {
  const { code, output } = await app.run('npm run build', env)
  return `${output}\n${code}`
}

describe('a new project of "npx create-next-app" that follows the guide', () => {
  it('builds while Signalbox is away', async () => {
    expect(await build()).toMatch(/○ \/\s[\s\S]*\n0$/)
  }, 300_000)

  it("builds with the page that is kept by 'use cache' too", async () => {
    await app.write('app/page.tsx', "export { default } from '../cache-components/page'\n")
    expect(await build()).toMatch(/○ \/\s[\s\S]*\n0$/)
  }, 300_000)
})

describe('the page about tests, in that project', () => {
  const blocks = listBlocks('tests')

  beforeAll(async () => {
    await app.writeShown('next', 'examples/next-app')
    await app.writeShown('tests', 'examples/next-app')
  })

  it('has tests of client and server components and of a route that Vitest runs', async () => {
    const { code, output } = await app.run('npx vitest run')
    expect(output).toMatch(/Tests\s+4 passed/)
    expect(code).toBe(0)
  })

  it('has settings by which Jest runs the same', async () => {
    for (const path of ['app/page.test.tsx', 'app/admin/route.test.ts']) {
      await app.write(path, forJest(blocks, `examples/next-app/${path}`))
    }
    const write = async (path: string, part: string) =>
      app.write(path, blocks.find(({ text }) => text.includes(part))?.text ?? '')
    await write('jest.config.js', 'next/jest')
    await write('next.config.ts', 'transpilePackages')
    const { code, output } = await app.run('npx jest')
    expect(output).toMatch(/Tests:\s+4 passed/)
    expect(code).toBe(0)
  })
})
