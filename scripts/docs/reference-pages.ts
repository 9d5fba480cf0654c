import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderFileSchema } from '../../packages/cli/src/apply/file-schema.ts'
import { renderGrowth, renderGrowthPage } from './growth-page.ts'
import { renderGuidePages } from './guide-pages.ts'
import { importSchemaName, renderImportSchema } from './import-schema.ts'
import { renderEveryPage, renderLlmsPage, renderServedLlmsPage } from './llms-page.ts'
import { renderMeasurementsPage } from './measurements-page.ts'
import { renderProblemsPage } from './problems-page.ts'
import { renderRestPage } from './rest-page.ts'
import { renderSettingsPage } from './settings-page.ts'

/** Copied as it is: the service answers it at `/skill.md`. */
const skill = join(import.meta.dirname, '../../docs/skill.md')

/** Every generated page: path from the root of the repository -> text. */
export function renderReferencePages(): ReadonlyMap<string, string> {
  const pages = new Map([
    ['docs/llms.txt', renderLlmsPage()],
    ['docs/reference/settings.md', renderSettingsPage()],
    ['docs/reference/measurements.md', renderMeasurementsPage()],
    ['docs/reference/rest.md', renderRestPage()],
    ['docs/reference/growth.md', renderGrowthPage()],
    ['docs/reference/growth.svg', renderGrowth()],
    ['docs/reference/signalbox.schema.json', renderFileSchema()],
    ['packages/server/assets/problems.html', renderProblemsPage()],
    ['packages/server/assets/signalbox.schema.json', renderFileSchema()],
    ['packages/server/assets/llms.txt', renderServedLlmsPage()],
  ])
  return new Map([
    ...pages,
    ...renderGuidePages(pages),
    ['packages/server/assets/llms-full.txt', renderEveryPage(pages)],
    [`docs/reference/${importSchemaName}`, renderImportSchema()],
    [`packages/server/assets/docs/reference/${importSchemaName}`, renderImportSchema()],
    ['packages/server/assets/skill.md', readFileSync(skill, 'utf8')],
  ])
}
