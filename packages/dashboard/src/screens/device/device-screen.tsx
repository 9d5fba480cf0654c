import { Page } from '../../parts/page.tsx'
export function DeviceScreen() {
  return <Page title="device">…</Page>
}
