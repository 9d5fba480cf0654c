import { isTestFile, type Finding, type SourceFile } from './source-files.ts'

/** Matches the beginning of an entry of `declareEndpoints`, whose name is the operation id. */
export const declaration = /(?<=^ {2})(\w+)(?=: \{\n(?: {4}.*\n)*? {4}path: )/gm

const contract = /^packages\/contract\/src\/rest\/([a-z-]+)(?:\.ts|\/[a-z-]+\.ts)$/
/** A read model about a feature counts as the feature. */
const server = /^packages\/server\/src\/(?:read-models\/)?([a-z-]+)\//

/** Answers what belongs to several features: its endpoints stand with the feature they are about. */
const sharedRoutes = 'packages/server/src/overview/status-routes.ts'

/** Finds the endpoints that stand in another file or folder of the contract than the feature of the server that serves them. */
export function misplacedEndpoints(files: readonly SourceFile[]): Finding[] {
  const servedBy = new Map(files.flatMap(routesOf))
  return files.flatMap((file) => {
    const feature = contract.exec(file.path)?.[1]
    return feature === undefined || isTestFile(file.path)
      ? []
      : declarationsOf(file).flatMap(({ operationId, isDelivered, line }) => {
          const folder = servedBy.get(operationId) ?? (isDelivered ? 'delivery' : 'nothing')
          if (folder === feature || folder === 'shared') return []
          return [{ path: file.path, line, detail: `${operationId} is served by ${folder}` }]
        })
  })
}

/** Lists what a file mounts on the router, with the folder that does. Example: `['listMembers', 'identity']`. */
function routesOf({ path, text }: SourceFile): (readonly [operationId: string, folder: string])[] {
  const folder = path === sharedRoutes ? 'shared' : server.exec(path)?.[1]
  if (folder === undefined || isTestFile(path)) return []
  const mounted = [...text.matchAll(/\.add\w*\(\s*\w*[eE]ndpoints\.(\w+)/g)]
  return mounted.map(([, operationId = '']) => [operationId, folder] as const)
}

interface Declaration {
  readonly operationId: string
  /** Says that the file is about the delivery's own listener, whose routes the router does not list. */
  readonly isDelivered: boolean
  readonly line: number
}

function declarationsOf({ text }: SourceFile): Declaration[] {
  const isDelivered = text.includes("listener: 'delivery'")
  return [...text.matchAll(declaration)].map(({ index, 1: operationId = '' }) => ({
    operationId,
    isDelivered,
    line: text.slice(0, index).split('\n').length,
  }))
}

/** Finds the empty lists of topics that have no comment above them. */
export function unexplainedTopics({ path, text }: SourceFile): Finding[] {
  if (!contract.test(path)) return []
  const lines = text.split('\n')
  return lines.flatMap((line, at) =>
    line.trim() === 'topics: [],' && !lines[at - 1]?.trim().startsWith('//')
      ? [{ path, line: at + 1, detail: 'says of no topic why' }]
      : [],
  )
}
