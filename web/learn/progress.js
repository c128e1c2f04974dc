// How far a run is, in few words.

import { dictionary, number } from '../i18n.js';
import words from '../words/learn.js';

const text = dictionary(words);

const time = (seconds) => {
  const whole = (value) => number(value, { maximumFractionDigits: 0 });
  if (seconds < 90) return text('seconds', whole(seconds));
  return seconds < 5400
    ? text('minutes', whole(seconds / 60))
    : text('hours', number(seconds / 3600, { maximumFractionDigits: 1 }));
};

export function facts(progress) {
  if (!progress) return [];
  const { done, games, games_per_second: speed, remaining, seconds } = progress;
  const whole = (value) => number(value, { maximumFractionDigits: 0 });
  const all = [text('done', whole(100 * done)), text('games', whole(games))];
  if (done < 1) all.push(text('speed', number(speed, { maximumFractionDigits: speed < 10 ? 1 : 0 })));
  all.push(done < 1 && remaining ? text('remaining', time(remaining)) : time(seconds));
  return all;
}
