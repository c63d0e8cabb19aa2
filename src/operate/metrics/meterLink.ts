import { noMetrics, type Env, type Link } from '../../env/index.ts';
import type { Exchange } from '../../contract/index.ts';

/** A link whose requests are measured; the link itself if nobody measures. An answer is not delayed. */
export function meterLink(link: Link, { clock, metrics }: Pick<Env, 'clock' | 'metrics'>): Link {
  if (metrics === noMetrics) return link;
  const note = (begun: number, exchange?: Exchange): void => {
    metrics.observe('request_seconds', (clock.monotonicNow() - begun) / 1_000);
    if (exchange?.kind === 'answered' && exchange.response.status === 429)
      metrics.count('http_429_total');
  };
  return {
    market: link.market,
    ...(link.present === undefined ? {} : { present: () => link.present!() }),
    ...(link.held === undefined ? {} : { held: () => link.held!() }),
    open: (listener) => link.open(listener),
    subscribe: (subscription) => link.subscribe(subscription),
    unsubscribe: (subscription) => link.unsubscribe(subscription),
    request(request) {
      const begun = clock.monotonicNow();
      const answer = link.request(request);
      if (answer instanceof Promise) {
        answer.then(
          (exchange) => note(begun, exchange),
          () => note(begun),
        );
      } else note(begun, answer);
      return answer;
    },
    close: () => link.close(),
  };
}
