import { createHash } from 'node:crypto'
import type { components } from '@octokit/openapi-types'
import type { GithubRepository } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { fullNameOf, repositoryUrl } from './repository.ts'

/** Holds the length of a line in GitHub's base64. */
const lineCharacters = 60

/** Returns a file as the contents endpoint shows it. Its SHA is that of Git's blob. */
export function toContentFile(
  addresses: GithubAddresses,
  repository: GithubRepository,
  file: { readonly path: string; readonly text: string; readonly ref: string },
) {
  const { path, ref } = file
  const bytes = Buffer.from(file.text)
  const sha = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
  const at = repositoryUrl(addresses, repository)
  const url = `${at}/contents/${path}?ref=${encodeURIComponent(ref)}`
  const git = `${at}/git/blobs/${sha}`
  const html = `${addresses.web}/${fullNameOf(repository)}/blob/${ref}/${path}`
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${lineCharacters}}`, 'g')) ?? []
  return {
    type: 'file',
    encoding: 'base64',
    size: bytes.length,
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    content: lines.map((line) => `${line}\n`).join(''),
    sha,
    url,
    git_url: git,
    html_url: html,
    download_url: `${addresses.web}/${fullNameOf(repository)}/raw/${ref}/${path}`,
    _links: { self: url, git, html },
  } satisfies components['schemas']['content-file']
}
