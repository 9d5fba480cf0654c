import type { JiraSite } from './state.ts'

/** Where a site is found: by people, and by programs behind the gateway. */
export interface SiteAddresses {
  /** Example: `http://127.0.0.1:4500/atlassian/sites/acme`. An issue's page is `/browse/ABC-1` below it. */
  readonly web: string
  /** Example: `http://127.0.0.1:4500/atlassian/api/ex/jira/<cloudId>/rest/api/3`. */
  readonly api: string
}

/** The address of a site for people. Example: `http://127.0.0.1:4500/atlassian/sites/acme`. */
export function siteUrl(origin: string, { name }: JiraSite): string {
  return `${origin}/atlassian/sites/${name}`
}

/** The pictures of a person or a project, by size. They are all the same one here. */
export function avatarUrls({ web }: SiteAddresses): Record<string, string> {
  const url = new URL('/atlassian/sites/avatar.svg', web).href
  return { '48x48': url, '24x24': url, '16x16': url, '32x32': url }
}
