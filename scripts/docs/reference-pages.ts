import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderFileSchema } from '../../packages/cli/src/apply/file-schema.ts'
import { renderGrowth, renderGrowthPage } from './growth-page.ts'
import { renderGuidePages } from './guide-pages.ts'
import { importSchemaName, renderImportSchema } from './import-schema.ts'
import { renderEveryPage, renderLlmsPage, renderServedLlmsPage } from './llms-page.ts'
import { renderMeasurementsPage } from './measurements-page.ts'
import { fillPermissionTables, hasPermissionTable } from './permission-tables.ts'
import { renderProblemsPage } from './problems-page.ts'
import { renderRestPage } from './rest-page.ts'
import { renderSettingsPage } from './settings-page.ts'

const root = join(import.meta.dirname, '../..')

/** Copied as it is: the service answers it at `/skill.md`. */
const skill = join(root, 'docs/skill.md')

/** Every generated page: path from the root of the repository -> text. */
export function renderReferencePages(): ReadonlyMap<string, string> {
  const pages = new Map([
    ...renderTablesOfGuide(),
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

/** Writes the generated tables into the pages of the guide that have one. The rest of those pages is written by hand. */
function renderTablesOfGuide(): (readonly [path: string, text: string])[] {
  return readdirSync(join(root, 'docs/guide'))
    .filter((name) => name.endsWith('.md'))
    .map(
      (name) =>
        [`docs/guide/${name}`, readFileSync(join(root, 'docs/guide', name), 'utf8')] as const,
    )
    .filter(([, text]) => hasPermissionTable(text))
    .map(([path, text]) => [path, fillPermissionTables(text)])
}
