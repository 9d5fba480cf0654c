import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTestDirectory } from '../../testing/run-cli.ts'

it('init brings the definition into a program that reads src alone', async () => {
  const place = createTestDirectory('http://127.0.0.1:9')
  mkdirSync(join(place.directory, 'src'))
  writeFileSync(join(place.directory, 'tsconfig.app.json'), '{\n  "include": ["src"]\n}\n')
  expect(await place.run(['init', '--yes'])).toMatchObject({ code: 0 })
  const written = readFileSync(join(place.directory, 'src/signalbox.d.ts'), 'utf8')
  expect(written).toMatch(/^import '\.\.\/signalbox\.config\.js'$/m)
  place.remove()
})
