// A table from above: coffee, a crossword given up, a pencil, a bit of sun.

float softly(float d, float by) { return smoothstep(by, -by, d); }

vec3 wood(vec2 p) {
  float board = floor(p.x * 1.7 + 0.2), x = fract(p.x * 1.7 + 0.2);
  vec2 q = vec2(p.x * 9.0 + board * 13.0, p.y * 0.9 + board * 4.0);
  float knot = length((p - vec2(-0.52, 0.55)) * vec2(3.2, 1.6));
  float rings = sin((q.x + 2.2 * fbm(q * vec2(0.6, 1.3), 5) + 1.3 / (0.25 + knot)) * 5.0);
  vec3 c = mix(vec3(0.30, 0.165, 0.085), vec3(0.46, 0.275, 0.15), 0.5 + 0.3 * rings + 0.25 * (hash1(board * 3.7) - 0.5));
  c *= 0.85 + 0.25 * noise(vec2(p.x * 220.0, p.y * 6.0));
  return c * (1.0 - 0.75 * smoothstep(0.018, 0.006, min(x, 1.0 - x)));
}

vec3 paper(vec2 p) {
  vec3 c = vec3(0.74, 0.70, 0.62) * (0.94 + 0.06 * fbm(p * 40.0, 3));
  vec2 g = (p - vec2(-0.36, -0.02)) * 17.0, cell = floor(g), f = abs(fract(g) - 0.5);
  if (cell.x >= 0.0 && cell.x < 11.0 && cell.y >= 0.0 && cell.y < 11.0) {
    float black = step(0.78, hash2(vec2(min(cell.x, 10.0 - cell.x), cell.y) + 2.0));
    c = mix(vec3(0.80, 0.77, 0.70), vec3(0.05), max(black, smoothstep(0.45, 0.49, max(f.x, f.y))));
    float letter = step(hash2(cell + 50.0), 0.42) * (1.0 - black);
    vec2 l = fract(g) - 0.5;
    float stroke = min(segment(l, vec2(-0.15, -0.22), vec2(0.02, 0.22)), segment(l, vec2(0.02, 0.22), vec2(0.16, -0.22)));
    stroke = hash2(cell + 61.0) > 0.5 ? min(abs(length(l) - 0.18), 9.0) : min(stroke, segment(l, vec2(-0.09, -0.05), vec2(0.1, -0.05)));
    c = mix(c, vec3(0.16, 0.16, 0.20), letter * smoothstep(0.07, 0.03, stroke));
  } else if (p.x > -0.36) {
    float row = fract(p.y * 34.0), word = noise(vec2(p.x * 60.0 + floor(p.y * 34.0) * 17.0, floor(p.y * 34.0)));
    float column = step(0.04, fract((p.x + 0.36) * 2.3)) ;
    c = mix(c, vec3(0.16), 0.72 * step(row, 0.45) * step(0.36, word) * column * step(p.y, -0.07));
    c = mix(c, vec3(0.10), 0.8 * step(0.685, p.y) * step(p.y, 0.74) * step(0.35, noise(vec2(p.x * 28.0, 3.0))));
  }
  return c;
}

vec3 photo(vec2 uv) {
  vec2 lens = spread(lensDrift);
  vec2 shift = sqrt(lens.x) * vec2(cos(6.2832 * lens.y), sin(6.2832 * lens.y));
  vec2 away = vec2(0.085, -0.075);
  vec3 c = wood(turn(0.06) * uv);
  vec2 n = turn(-0.24) * (uv - vec2(-0.40, -0.30));
  float sheet = box2(n - vec2(0.02, 0.10), vec2(0.50, 0.72)) + 0.004 * noise(n * 9.0);
  float fold = n.x + 0.005 * sin(n.y * 5.0);
  c *= 1.0 - 0.62 * softly(box2(turn(-0.24) * (uv - vec2(-0.40, -0.30) - away * 0.28 - shift * 0.012) - vec2(0.02, 0.10), vec2(0.50, 0.72)), 0.006);
  vec3 page = paper(n) * (0.90 + 0.14 * smoothstep(-0.5, 0.5, n.x)) * (1.0 - 0.12 * exp(-pow((n.y - 0.10) * 26.0, 2.0)));
  c = mix(c, page, softly(sheet, 0.002));
  vec2 cup = uv - vec2(0.36, 0.28);
  float r = length(cup);
  c *= 1.0 - 0.66 * softly(length(cup - away * 0.65 - shift * 0.030) - 0.44, 0.02);
  float lightSide = dot(normalize(cup + 1e-4), normalize(-away));
  if (r < 0.445) {
    float slope = smoothstep(0.30, 0.44, r) - smoothstep(0.40, 0.445, r) * 1.2;
    vec3 plate = vec3(0.66, 0.66, 0.63) * (0.80 - 0.30 * slope * lightSide) + vec3(0.25) * smoothstep(0.012, 0.0, abs(r - 0.425)) * (0.4 + 0.6 * lightSide);
    plate = mix(plate, vec3(0.10, 0.17, 0.28), smoothstep(0.006, 0.003, abs(r - 0.405)));
    c = mix(c, plate, softly(r - 0.44, 0.003));
  }
  vec2 h = turn(-0.62) * cup;
  float handle = max(abs(length((h - vec2(0.295, 0.0)) * vec2(1.0, 1.25)) - 0.075) - 0.021, 0.20 - h.x);
  vec2 hs = turn(-0.62) * (cup - away * 0.5 - shift * 0.028);
  float shade = min(length(cup - away * 0.62 - shift * 0.034) - 0.235, max(abs(length((hs - vec2(0.295, 0.0)) * vec2(1.0, 1.25)) - 0.075) - 0.021, 0.20 - hs.x));
  if (r < 0.44 && r > 0.24) c *= 1.0 - 0.55 * softly(shade, 0.02);
  c = mix(c, vec3(0.72, 0.72, 0.69) * (0.8 + 0.35 * smoothstep(0.03, -0.03, h.y)), softly(handle, 0.003));
  if (r < 0.245) {
    vec3 rim = vec3(0.80, 0.79, 0.76) * (0.80 + 0.32 * lightSide * smoothstep(0.205, 0.24, r));
    c = mix(c, rim, softly(r - 0.242, 0.003));
    float inner = r - 0.218;
    vec3 wall = vec3(0.60, 0.58, 0.55) * (0.62 - 0.5 * lightSide);
    c = mix(c, wall, softly(inner, 0.003));
    vec2 pool = cup - vec2(0.008, -0.007);
    float a = atan(pool.y, pool.x), pr = length(pool);
    vec2 swirl = turn(2.6 * (0.2 - pr) * 5.0) * pool;
    float foam = fbm(swirl * 14.0 + 2.0 * fbm(swirl * 9.0, 4), 5);
    vec3 brew = mix(vec3(0.060, 0.020, 0.008), vec3(0.44, 0.24, 0.10), smoothstep(0.38, 0.68, foam + 0.35 * smoothstep(0.12, 0.20, pr)));
    brew = mix(brew, vec3(0.62, 0.42, 0.22), 0.8 * smoothstep(0.010, 0.0, abs(pr - 0.196)));
    vec3 bubbles = cells(pool * 55.0);
    brew += vec3(0.20, 0.13, 0.07) * smoothstep(0.25, 0.15, bubbles.x) * step(0.72, bubbles.z) * smoothstep(0.10, 0.19, pr);
    vec2 glint = turn(0.5) * (pool - vec2(-0.06, 0.075));
    brew += vec3(0.8, 0.8, 0.85) * softly(box2(glint, vec2(0.045, 0.030)), 0.006) * (1.0 - 0.9 * softly(abs(glint.x) - 0.003, 0.002)) * 0.8;
    c = mix(c, brew * (1.0 - 0.45 * smoothstep(0.0, 0.9, -lightSide) * smoothstep(0.10, 0.2, pr)), softly(pr - 0.203, 0.003));
  }
  vec2 s = turn(0.95) * (uv - vec2(0.385, -0.07));
  float spoon = min(length((s - vec2(0.16, 0.0)) * vec2(0.72, 1.0)) - 0.042, segment(s, vec2(0.11, 0.0), vec2(-0.24, 0.0)) - 0.0105 - 0.010 * smoothstep(-0.12, -0.24, s.x));
  vec2 ss = turn(0.95) * (uv - vec2(0.385, -0.07) - away * 0.28 - shift * 0.01);
  float spoonShade = min(length((ss - vec2(0.16, 0.0)) * vec2(0.72, 1.0)) - 0.042, segment(ss, vec2(0.11, 0.0), vec2(-0.24, 0.0)) - 0.013);
  c *= 1.0 - 0.5 * softly(spoonShade, 0.006) * step(0.0, spoon);
  vec3 steel = mix(vec3(0.20), vec3(0.85), smoothstep(-0.02, 0.02, s.y + 0.5 * (s.x - 0.16) * step(0.1, s.x))) + vec3(0.9) * smoothstep(0.004, 0.0, abs(s.y - 0.004)) * 0.7;
  c = mix(c, steel, softly(spoon, 0.002));
  vec2 q = turn(0.52) * (uv - vec2(-0.33, -0.16)), qs = turn(0.52) * (uv - vec2(-0.33, -0.16) - away * 0.16 - shift * 0.004);
  c *= 1.0 - 0.5 * softly(box2(qs, vec2(0.30, 0.014)), 0.003);
  float body = box2(q, vec2(0.25, 0.0135)), tip = max(abs(q.y) - 0.0135 * (0.30 - q.x) / 0.05, max(0.25 - q.x, q.x - 0.298));
  c = mix(c, vec3(0.60, 0.09, 0.05) * (0.7 + 0.7 * smoothstep(-0.004, 0.008, q.y)) * (1.0 - 0.3 * step(abs(q.y), 0.004)), softly(body, 0.0015));
  c = mix(c, q.x > 0.284 ? vec3(0.05) : vec3(0.66, 0.46, 0.27), softly(tip, 0.0015));
  c = mix(c, vec3(0.72, 0.70, 0.66), softly(box2(q + vec2(0.235, 0.0), vec2(0.016, 0.0145)), 0.0015));
  vec2 w = turn(0.42) * (uv + shift * 0.022);
  float sun = smoothstep(0.0, 0.02, 0.60 - abs(w.x + 0.06)) * (1.0 - smoothstep(0.045, 0.030, abs(w.x + 0.02)));
  sun *= 1.0 - 0.75 * smoothstep(0.44, 0.50, fbm((uv + shift * 0.05) * 2.4 + 11.0, 4)) * smoothstep(0.2, -0.6, uv.y - 0.3 * uv.x);
  return c * (vec3(0.42, 0.46, 0.54) + vec3(1.35, 1.10, 0.80) * sun) * 1.35;
}
