import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderFileSchema } from '../../packages/cli/src/apply/file-schema.ts'
import { renderBesideOthersPage } from './beside-others-page.ts'
import { renderGrowthPage } from './growth-page.ts'
import { listGuides, renderGuidePages } from './guide-pages.ts'
import { importSchemaName, renderImportSchema } from './import-schema.ts'
import { renderContentsForPrograms, renderEveryPage } from './llms-page.ts'
import { readMeasurements, renderMeasurementsPage } from './measurements-page.ts'
import { fillPermissionTables } from './permission-tables.ts'
import { renderRestPage } from './rest-page.ts'
import { renderSettingsPage } from './settings-page.ts'

const docs = join(import.meta.dirname, '../../docs')

/** Every file of documentation that the service answers: its address, with `.html` where it is a page -> text. */
export function renderServedPages(): ReadonlyMap<string, string> {
  const reference = renderReference()
  return new Map([
    ...renderGuidePages(reference),
    [`/docs/reference/${importSchemaName}`, renderImportSchema()],
    ['/signalbox.schema.json', renderFileSchema()],
    ['/llms.txt', renderContentsForPrograms(reference)],
    ['/llms-full.txt', renderEveryPage(reference)],
    ['/skill.md', readFileSync(join(docs, 'skill.md'), 'utf8')],
  ])
}

/** The pages that are made of code and of measurements, in Markdown: path in `docs/` -> text. */
export function renderReference(): ReadonlyMap<string, string> {
  const measurements = readMeasurements()
  return new Map([
    ['reference/beside-others.md', renderBesideOthersPage(measurements)],
    ['reference/growth.md', renderGrowthPage(measurements)],
    ['reference/measurements.md', renderMeasurementsPage(measurements)],
    ['reference/rest.md', renderRestPage()],
    ['reference/settings.md', renderSettingsPage()],
  ])
}

/** The pages of the guide whose tables of permissions are not what the providers ask for: path -> text as it should be. */
export function listOutdatedTables(): ReadonlyMap<string, string> {
  return new Map(
    listGuides().flatMap((source) => {
      const path = join(docs, source)
      const text = readFileSync(path, 'utf8')
      const filled = fillPermissionTables(text)
      return filled === text ? [] : [[path, filled] as const]
    }),
  )
}
