import { Agent, Dispatcher, EnvHttpProxyAgent, setGlobalDispatcher } from 'undici'
import { isLoopback } from '../project/server-url.ts'

/**
 * Sends every request of this process through the proxy of `HTTPS_PROXY` or `HTTP_PROXY`, but for the hosts of `NO_PROXY`
 * and this machine, which a proxy would look for on its own.
 */
export function useProxies(): void {
  setGlobalDispatcher(new ProxyDispatcher())
}

class ProxyDispatcher extends Dispatcher {
  readonly #direct = new Agent()
  #proxied: EnvHttpProxyAgent | undefined

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    if (options.origin !== undefined && isLoopback(String(options.origin))) {
      return this.#direct.dispatch(options, handler)
    }
    // Made with the first request, so that an address that is none fails the request and not the start.
    this.#proxied ??= new EnvHttpProxyAgent()
    return this.#proxied.dispatch(options, handler)
  }
}
