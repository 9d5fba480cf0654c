import chromium from '@sparticuz/chromium'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
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

let app: TemplateProject

beforeAll(async () => {
  app = await createFromTemplate('npx create-vite@9.3.0 app --template react-ts --no-interactive')
  // One installation takes half as long as two.
  const tools = listBlocks('tests').map(listInstalled).join(' ')
  const { code, output } = await app.run(`${firstBlock('vite', 'sh')} ${tools}`)
  if (code !== 0) throw new Error(output)
}, 180_000)

afterAll(() => app?.remove())

/** Writes the files of the page about Vite, with a key that no server knows. */
async function writeExample(): Promise<void> {
  await app.writeShown('vite', 'examples/vite-app')
  const env = firstBlock('vite', 'ini').replace('sbx_b2m_…', unknownKeys.browserKey)
  await app.write('.env.local', env)
}

/** Returns what a build says, which ends with the code. */
async function build(): Promise<string> {
  const { code, output } = await app.run('npm run build')
  return `${output}\n${code}`
}

describe('a new project of "npm create vite" that follows the guide', () => {
  it('is set up by init, which has the compiler read the definition', async () => {
    const init = 'npx --no-install signalbox init --yes --server http://127.0.0.1:9 --schema shop'
    expect(await app.run(init)).toMatchObject({ code: 0 })
    const text = "import { usePublicConfig } from '@signalbox/react'\n"
    await app.write(
      'src/wrong.ts',
      `${text}export const Wrong = () => usePublicConfig('apiUrll')\n`,
    )
    await app.write('src/right.ts', `${text}export const Right = () => usePublicConfig('apiUrl')\n`)
    const { output } = await app.run('npx tsc -b')
    expect(output).toMatch(/src\/wrong\.ts.*apiUrll/)
    expect(output).not.toContain('src/right.ts')
    await app.run('rm src/wrong.ts src/right.ts')
  })

  it('builds with the files of the page about Vite', async () => {
    await writeExample()
    expect(await build()).toMatch(/\n0$/)
    const page = await readFile(join(app.directory, 'dist/index.html'), 'utf8')
    const [head = ''] = page.split('<title>')
    expect(head.match(/charset|name="signalbox-config"|rel="preload"/g)).toEqual([
      'charset',
      'name="signalbox-config"',
      'rel="preload"',
    ])
  })

  it('builds with the component of the page about React', async () => {
    await app.write('src/App.tsx', firstBlock('react', 'tsx'))
    const main = "import App from './App.tsx'\nexport const page = <App />\n"
    await app.write('src/page.tsx', main)
    expect(await build()).toMatch(/\n0$/)
  })
})

describe('the page about tests, in that project', () => {
  const blocks = listBlocks('tests')

  beforeAll(async () => {
    await writeExample()
    await app.writeShown('tests', 'examples/vite-app')
  })

  it('has a test of a component that Vitest runs', async () => {
    const { code, output } = await app.run('npx vitest run')
    expect(output).toMatch(/Tests\s+1 passed/)
    expect(code).toBe(0)
  })

  it('has one of a page that Playwright runs', async () => {
    // Ours is no installation of Playwright's own, and runs as root.
    await app.write(
      'chromium.config.ts',
      `import config from './playwright.config'
const executablePath = ${JSON.stringify(await chromium.executablePath())}
export default { ...config, use: { ...config.use, launchOptions: { executablePath, args: ['--no-sandbox'] } } }
`,
    )
    const { code, output } = await app.run('npx playwright test --config chromium.config.ts')
    expect(output).toContain('1 passed')
    expect(code).toBe(0)
  })

  it('has settings by which Jest runs the same, and fails without them', async () => {
    const settings = blocks.find(({ language }) => language === 'js')?.text ?? ''
    await app.write('src/shop.test.tsx', forJest(blocks, 'examples/vite-app/src/shop.test.tsx'))
    await app.write('jest.config.js', settings)
    const { code, output } = await app.run('npx jest')
    expect(output).toMatch(/Tests:\s+1 passed/)
    expect(code).toBe(0)
    await app.write('jest.config.js', settings.replace(/transformIgnorePatterns.*/, ''))
    expect((await app.run('npx jest')).output).toContain('Must use import to load ES Module')
  })
})
