import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createFromTemplate,
  firstBlock,
  unknownKeys,
  type TemplateProject,
} from './template-project.ts'

const template =
  'npx create-next-app@16.4.3 app --ts --app --no-eslint --no-tailwind --no-src-dir --no-react-compiler --disable-git --skip-install --use-npm --import-alias "@/*"'

let app: TemplateProject

beforeAll(async () => {
  app = await createFromTemplate(template)
  const { code, output } = await app.run(firstBlock('next', 'sh'))
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
