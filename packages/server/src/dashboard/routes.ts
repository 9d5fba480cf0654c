import { fileURLToPath } from 'node:url'
import { dashboardEndpoints as endpoints } from '@signalbox/contract/rest'
import type { RawAnswer } from '../http/input/endpoint-request.ts'
import { isOpenedByPerson, missingDocument, notBuilt } from '../http/answers/missing-page.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { Router } from '../http/router.ts'
import { openFiles, type Files } from '../http/answers/files.ts'
import { pageHeaders } from '../http/answers/security-headers.ts'
import { answerTagged } from '../http/answers/tagged-answer.ts'

/** Where the files are. */
interface DashboardFolders {
  /** Holds the folder that the bundler wrote: `index.html` and `assets/`. */
  readonly built: string
  /** Holds the file as it was written, without compression. */
  readonly plain: string
}

const ownFolders: DashboardFolders = {
  built: fileURLToPath(new URL('../../public/', import.meta.url)),
  plain: fileURLToPath(new URL('../../assets/', import.meta.url)),
}

/** Holds what the bundler names by its content, such as `index-BBXSRXpF.css`: the name changes with the bytes. */
const namedByContent = /-[\w-]{8}\.(?:js|css|woff2)$/
const forEver = { 'Cache-Control': 'public, max-age=31536000, immutable' } as const
const askAgain = { 'Cache-Control': 'no-cache' } as const

/** Mounts the dashboard: its files, and its page for every address that a person opens and no endpoint has. */
export function mountDashboard(router: Router, { built, plain } = ownFolders): void {
  const files = openFiles(built)
  const ownFiles = openFiles(plain)
  router
    .addRaw(endpoints.readAsset, async ({ params, header }) => {
      const accepted = header('accept-encoding')
      const file =
        files.read(`assets/${params.name}`, accepted) ?? ownFiles.read(params.name, accepted)
      if (file === undefined) throw notFound()
      const keep = namedByContent.test(params.name) ? forEver : askAgain
      const headers = { ...file.headers, ...keep }
      return answerTagged({ ...file, headers }, header('if-none-match'))
    })
    .addFallback(({ method, header, target }) => {
      if (!isOpenedByPerson(method, header)) return undefined
      return target.path.startsWith('/docs/') ? missingDocument() : toPage(files, header)
    })
}

type Header = (name: string) => string | undefined

function toPage(files: Files, header: Header): RawAnswer {
  const page = files.read('index.html', header('accept-encoding'))
  if (page === undefined) return notBuilt('dashboard')
  const headers = { ...page.headers, ...pageHeaders() }
  return answerTagged({ ...page, headers }, header('if-none-match'))
}
