import type { IssueGrammar, KeyMention, KeyScope } from '../tracker.ts'

/** Describes how a host of repositories writes the numbers of its issues. */
export interface RepositoryKeysOptions {
  /** The paths of issues below a repository's page. Example: `issues`. */
  readonly issuesPaths: readonly string[]
  /** The host of issue pages where the text's own repository has no address. Example: `code.example.com`. Left out: none. */
  readonly host?: string
  /** Other beginnings of a number of the same repository. Example: `GH-`. */
  readonly aliases?: readonly string[]
}

/** Limits a number to what every host stores in 32 bits. */
const number = '[1-9][0-9]{0,8}(?![A-Za-z0-9_])'
/** Matches the name of a repository with its owner, or with up to twenty groups. No group is called `-`: it ends a name in addresses. */
const fullName = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}(?:/(?!-/)[A-Za-z0-9_.-]{1,100}){1,20}'
const host = '[A-Za-z0-9.-]{1,253}(?::[0-9]{1,5})?'
/** Matches what a host names a branch that it makes for an issue: the number and words of its title. */
const branchPattern = /(?:^|\/)([1-9][0-9]{0,8})-(?=[A-Za-z])/g
const wholePattern = new RegExp(`^(${fullName})#(${number})$`)
/** Matches the text of a link to an address, in Markdown and in HTML: a number in it means what the address says. */
const linkText = /\[[^[\]]{1,300}\](?=\(https?:)|>[^<>]{1,300}(?=<\/a>)/g
const none: readonly KeyMention[] = []

/**
 * Creates the grammar of issues that belong to a repository: `#12` in its own texts, `acme/shop#12`, and the address of an issue's
 * page at the host of the text's repository. The stored key always names the repository, in lower case, because hosts do not tell
 * names apart by case. A text of no known repository names only issues whose repository it gives.
 */
export function createRepositoryKeys(options: RepositoryKeysOptions): IssueGrammar {
  const pattern = toPattern(options)
  const branchPatterns = toBranchPatterns(options)
  return {
    container: 'repository',
    findKeys(line, where) {
      const own = where.repository?.fullName.toLowerCase()
      // Most lines name nothing, and a search costs more than this look.
      if (!/[#/]|-\d|\d-/.test(line)) return none
      if (where.source === 'branch')
        return own === undefined ? none : findInBranch(line, own, branchPatterns)
      const base = baseOf(where) ?? options.host
      return Array.from(line.replaceAll(linkText, ' ').matchAll(pattern)).flatMap(
        ([text, ...groups]) => {
          const [at, path, pageNumber, named, namedNumber, relative] = groups
          if (path !== undefined) {
            const of = pathBelow(base, `${at}/${path}`)
            return of === undefined ? [] : [{ key: toKey(of, pageNumber), text }]
          }
          if (named !== undefined) return [{ key: toKey(named, namedNumber), text }]
          return own === undefined ? [] : [{ key: toKey(own, relative), text }]
        },
      )
    },
    toKey: (text) => (wholePattern.test(text) ? text.toLowerCase() : undefined),
    containerOf: (key) => key.slice(0, key.lastIndexOf('#')),
    toContainer: (name) => name.toLowerCase(),
  }
}

/**
 * Matches an address, else a number with its repository, else a number. Every repetition is bounded, and a name begins only where
 * none goes on, so the time grows with the length of the text and no faster.
 */
function toPattern({ issuesPaths, aliases = [] }: RepositoryKeysOptions): RegExp {
  const issues = `(?:${issuesPaths.join('|')})`
  const page = `(?<![A-Za-z0-9])https?://(${host})/(${fullName})/${issues}/(${number})`
  const named = `(?<![A-Za-z0-9_./-])(${fullName})#(${number})`
  const marks = ['(?<![A-Za-z0-9_./&#-])#', ...aliases.map((alias) => `(?<![A-Za-z0-9_])${alias}`)]
  const relative = `(?:${marks.join('|')})(${number})`
  return new RegExp(`${page}|${named}|${relative}`, 'g')
}

function toBranchPatterns({ aliases = [] }: RepositoryKeysOptions): readonly RegExp[] {
  const byAlias = aliases.map(
    (alias) => new RegExp(`(?<![A-Za-z0-9])${alias}([1-9][0-9]{0,8})(?![A-Za-z0-9])`, 'gi'),
  )
  return [branchPattern, ...byAlias]
}

function findInBranch(
  name: string,
  own: string,
  patterns: readonly RegExp[],
): readonly KeyMention[] {
  return patterns.flatMap((pattern) =>
    Array.from(name.matchAll(pattern), ([text, digits]) => ({ key: toKey(own, digits), text })),
  )
}

function toKey(repository: string, digits: string | undefined): string {
  return `${repository.toLowerCase()}#${digits ?? ''}`
}

/**
 * Returns where the host of the text's repository begins, whose path it may share with other programs. Another host has issues of
 * its own at the same paths. Example: `code.example.com/git` of `https://code.example.com/git/acme/shop`.
 */
function baseOf({ repository }: KeyScope): string | undefined {
  const url = repository?.url ?? ''
  if (!URL.canParse(url)) return undefined
  const { host: at, pathname } = new URL(url)
  const page = pathname.replace(/\/+$/, '').toLowerCase()
  const end = `/${repository?.fullName.toLowerCase()}`
  return page.endsWith(end) ? `${at}${page.slice(0, -end.length)}` : at
}

/** Returns the path of a repository below its host; `undefined` for one of another host. */
function pathBelow(base: string | undefined, address: string): string | undefined {
  const start = `${base}/`
  const path = address.toLowerCase().startsWith(start) ? address.slice(start.length) : ''
  return path.includes('/') ? path : undefined
}
