import { Problem } from '@signalbox/contract'

const scimType = /^application\/(?:scim\+)?json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?$/i

/** Requires the content type of SCIM, or JSON, which some directories send. @throws {Problem} `unsupported_media_type` */
export function requireScimBody(contentType: string | undefined): void {
  if (contentType !== undefined && scimType.test(contentType)) return
  const detail = 'Send the body with Content-Type: application/scim+json.'
  throw new Problem('unsupported_media_type', detail)
}
