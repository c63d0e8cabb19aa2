/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const strategy = {
  station: 'strategy',
  rows: [
 [
  "pairs/planPair.ts",
  "an order of a pair turns a position",
  "turns ? Math.abs(held) : Infinity",
  "Infinity"
 ],
 [
  "pairs/planPair.ts",
  "a pair moves by more than its step",
  "const size = Math.min(Math.abs(away), most, turns",
  "const size = Math.min(Math.abs(away), Infinity, turns"
 ],
 [
  "pairs/planPair.ts",
  "the second leg completes what the first has completed",
  "    left -= Math.abs(order) * leg.unit;\n    return order;",
  "    return order;"
 ],
 [
  "pairs/planPair.ts",
  "both legs are reduced by the whole imbalance",
  "    left -= size * unit;\n",
  "",
  {
   "equivalent": "where both legs are on the side of the imbalance, it is all that they hold"
  }
 ],
 [
  "pairs/planPair.ts",
  "an unwinding reduces the leg that is short of it",
  "if (Math.sign(held) !== Math.sign(naked)) return 0;",
  "if (Math.sign(held) === Math.sign(naked)) return 0;"
 ],
 [
  "pairs/planPair.ts",
  "a step is counted in base units",
  "toward(leg, most / leg.unit)",
  "toward(leg, most)"
 ],
 [
  "pairs/planPair.ts",
  "the leg that goes first does not",
  "lead !== undefined && lead !== at && !isAtTarget(legs[lead])",
  "lead !== undefined && lead === at && !isAtTarget(legs[lead])"
 ],
 [
  "pairs/planPair.ts",
  "an imbalance just at the slack is completed",
  "if (!areDone && Math.abs(naked) > slack)",
  "if (!areDone && Math.abs(naked) >= slack)"
 ],
 [
  "pairs/planPair.ts",
  "an unwinding of what is within the slack goes on",
  "return Math.abs(naked) > slack ? unwind",
  "return Math.abs(naked) >= 0 ? unwind"
 ],
 [
  "pairs/planPair.ts",
  "the tolerance is of the held size",
  "tolerance * Math.abs(target)",
  "tolerance * Math.abs(held)"
 ],
 [
  "pairs/createPairLeg.ts",
  "a reduction of a leg may enter",
  "{ symbol, side, size: valid, reduce_only: true, ...bound }",
  "{ symbol, side, size: valid, ...bound }"
 ],
 [
  "pairs/createPairLeg.ts",
  "a reduction below the least value is not sent",
  "const isWorthIt = reduces || valid",
  "const isWorthIt = valid"
 ],
 [
  "pairs/createPairLeg.ts",
  "only long legs reduce",
  "const reduces = position !== undefined && position * size < 0;",
  "const reduces = position !== undefined && position > 0 && size < 0;"
 ],
 [
  "pairs/createPairLeg.ts",
  "what orders filled whose refs are used again is forgotten",
  "    add(before, view);\n    return view;",
  "    return view;"
 ],
 [
  "pairs/createPairLeg.ts",
  "an entry of a leg never expires",
  "{ ref, not_after });",
  "{ ref });"
 ],
 [
  "pairs/createPairLeg.ts",
  "the bound of a reduction is lost",
  "reduce_only: true, ...bound }",
  "reduce_only: true }"
 ],
 [
  "pairs/createPairLeg.ts",
  "a refused reduction holds up entries",
  "isReduction ? 'reduction' : 'entry'",
  "'entry'"
 ],
 [
  "pairs/createPairKeeper.ts",
  "a short leg is held long",
  "leg.onPosition(position?.side === 'short' ? -size : size);",
  "leg.onPosition(size);"
 ],
 [
  "pairs/createPairKeeper.ts",
  "a leg that filled keeps its refusals",
  "if (end === 'filled') legs[at].refusals = 0;",
  "if (end === 'filled') legs[at].refusals += 0;"
 ],
 [
  "pairs/createPairKeeper.ts",
  "a pair decides on what it missed",
  "if (ctx.liveness() !== 'live') return [];",
  ""
 ],
 [
  "pairs/createPairKeeper.ts",
  "an unwinding begins at once",
  "const until = nakedSince + unwind_after_ms;",
  "const until = nakedSince;"
 ],
 [
  "pairs/createPairKeeper.ts",
  "after an unwinding the same entry is tried at once",
  "if (isUnwinding) pausedUntil = ctx.now() + waitOf(unwindings++);",
  ""
 ],
 [
  "pairs/createPairKeeper.ts",
  "a reduction waits as long as an entry",
  "return isEntry ? Math.max(rested, pausedUntil) : rested;",
  "return Math.max(rested, pausedUntil);"
 ],
 [
  "pairs/createPairKeeper.ts",
  "waits are doubled without a bound",
  "2 ** Math.min(times, MOST_DOUBLINGS)",
  "2 ** times"
 ],
 [
  "pairs/createPairKeeper.ts",
  "prices of the second leg are of the first",
  "(symbol === long ? legs[0] : legs[1]).price = mark;",
  "legs[0].price = mark;"
 ],
 [
  "pairs/createPairKeeper.ts",
  "a new target keeps the sizes of the old one",
  "      target = next;\n      sized = undefined;",
  "      target = next;"
 ],
 [
  "resting/quote.ts",
  "what rests beside what is held may exceed the bound",
  "size: Math.min(bid_size, most - long),",
  "size: bid_size,"
 ],
 [
  "resting/quote.ts",
  "an ask may exceed the bound",
  "size: Math.min(ask_size, short - least),",
  "size: ask_size,"
 ],
 [
  "resting/quote.ts",
  "spot is sold that is not held",
  "const least = isSpot ? 0 : -most;",
  "const least = -most;"
 ],
 [
  "resting/quote.ts",
  "the size of an ask is the bid’s",
  "ask_size = size } = target",
  "ask_size = bid_size } = target"
 ],
 [
  "resting/quote.ts",
  "a bound of 0 is one",
  "if (most > 0) return most;",
  "if (most >= 0) return most;"
 ],
 [
  "resting/createSlots.ts",
  "a bid is rounded up",
  "order.side === 'buy' ? 'down' : 'up'",
  "'up'"
 ],
 [
  "resting/createSlots.ts",
  "reduce-only is lost",
  "const flag = reduce_only === true ? { reduce_only } : {};",
  "const flag = {};"
 ],
 [
  "resting/createSlots.ts",
  "every order is post-only",
  "(order.post_only ?? post_only) ? ('post_only' as const) : ('gtc' as const)",
  "('post_only' as const)"
 ],
 [
  "resting/createSlots.ts",
  "a change forgets what has filled",
  "instrument!.roundSize((filled + order.size) * (1 + ROUNDING))",
  "instrument!.roundSize(order.size * (1 + ROUNDING))"
 ],
 [
  "resting/createSlots.ts",
  "an order on the other side is changed",
  "if (order === undefined || order.side !== live.side) return cancel(slot, live);",
  "if (order === undefined) return cancel(slot, live);"
 ],
 [
  "resting/createSlots.ts",
  "an order that rests too large stays",
  "if (!isMoved && !isSmall && !isLarge) return undefined;",
  "if (!isMoved && !isSmall) return undefined;"
 ],
 [
  "resting/createSlots.ts",
  "a price within the tolerance is moved to",
  "> tolerance_bps * aim.price",
  ">= 0 * tolerance_bps * aim.price"
 ],
 [
  "resting/createSlots.ts",
  "refusals in a row are not slowed down",
  "2 ** Math.min(slot.refusals++, MOST_DOUBLINGS)",
  "2 ** Math.min(0 * slot.refusals++, MOST_DOUBLINGS)"
 ],
 [
  "resting/createSlots.ts",
  "a second order of a slot that is found goes on",
  "        extra.set(ref, view);\n        return true;",
  "        return true;"
 ],
 [
  "resting/createSlots.ts",
  "what an order filled before the start counts again",
  "      if (isBuy) slot.bought -= view.filled;\n      else slot.sold -= view.filled;\n",
  ""
 ],
 [
  "resting/createSlots.ts",
  "fills of sales are purchases",
  "if (live.side === 'buy') fills.bought += filled;\n    else fills.sold += filled;",
  "fills.bought += filled;"
 ],
 [
  "resting/createSlots.ts",
  "orders decide in an outage",
  "if (ctx.liveness() !== 'live') return [];",
  ""
 ],
 [
  "satisfiesRange.ts",
  "a caret at zero lets the minor change",
  "first === -1 ? known.length - 1 : first",
  "0 * first"
 ],
 [
  "satisfiesRange.ts",
  "the end of a range is in it",
  "value >= low && value < high",
  "value >= low && value <= high"
 ],
 [
  "satisfiesRange.ts",
  "one bound of several is enough",
  "all!.every((",
  "all!.some(("
 ],
 [
  "satisfiesRange.ts",
  "the first alternative counts alone",
  "alternatives.some((all)",
  "alternatives.slice(0, 1).some((all)"
 ]
],
} as const;
