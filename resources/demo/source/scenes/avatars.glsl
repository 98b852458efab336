// Eight small squares, each drawn to be read at the size of a coin. uParams.x says which.

vec3 peak(vec2 p) {
  vec3 c = mix(vec3(1.05, 0.60, 0.38), vec3(0.22, 0.34, 0.60), smoothstep(-0.3, 0.9, p.y));
  float far = -0.05 + 0.5 * fbm(vec2(p.x * 1.3 + 4.0, 1.0), 6) - 0.2;
  c = mix(c, vec3(0.46, 0.38, 0.50), smoothstep(0.01, -0.01, p.y - far));
  vec2 h = p - vec2(0.05, -0.12);
  float hat = max(length((h - vec2(0.0, 0.16)) * vec2(1.0, 0.92)) - 0.43, -(h.y - 0.10)), pom = length(h - vec2(0.0, 0.66)) - 0.13 - 0.03 * noise(h * 22.0);
  float head = length((h - vec2(0.0, 0.02)) * vec2(1.06, 0.92)) - 0.38;
  float coat = segment(h, vec2(-0.42, -0.92), vec2(0.42, -0.92)) - 0.46;
  c = mix(c, vec3(0.10, 0.045, 0.022) * (0.6 + 0.8 * noise(vec2(h.x * 40.0, h.y * 4.0))), smoothstep(0.015, -0.015, min(head, max(abs(h.x) - 0.34, abs(h.y + 0.3) - 0.3))));
  c = mix(c, vec3(0.10, 0.17, 0.15) * (0.7 + 0.7 * smoothstep(0.4, -0.4, h.x)), smoothstep(0.015, -0.015, coat));
  vec3 wool = vec3(0.72, 0.18, 0.07) * (0.75 + 0.35 * sin(h.x * 46.0) * sin(h.y * 50.0)) * (0.65 + 0.7 * smoothstep(0.4, -0.4, h.x));
  c = mix(c, wool, smoothstep(0.015, -0.015, min(hat, pom)));
  return mix(c, wool * 0.75, smoothstep(0.015, -0.015, max(abs(h.y - 0.13) - 0.085, abs(h.x) - 0.43)));
}

vec3 nightHead(vec2 p) {
  vec3 c = vec3(0.020, 0.016, 0.040);
  for (int i = 0; i < 16; i++) {
    float k = float(i), r = 0.10 + 0.14 * hash1(k * 3.0), d = length(p - vec2(2.2 * hash1(k * 1.7) - 1.1, 2.0 * hash1(k * 5.1) - 0.9));
    c += mix(vec3(1.0, 0.48, 0.14), i % 3 == 0 ? vec3(0.2, 0.6, 0.8) : vec3(1.0, 0.16, 0.2), hash1(k * 7.0)) * smoothstep(r, r * 0.9, d) * 0.55;
  }
  float head = length((p - vec2(-0.02, 0.10)) * vec2(1.0, 0.84)) - 0.44, curls = head - 0.13 - 0.16 * fbm(p * 5.0, 4);
  float body = segment(p, vec2(-0.5, -1.02), vec2(0.5, -1.02)) - 0.44;
  float d = min(curls, min(body, max(abs(p.x) - 0.18, abs(p.y + 0.5) - 0.3)));
  return mix(c, vec3(0.016, 0.010, 0.016) + vec3(1.3, 0.50, 0.18) * smoothstep(-0.08, 0.0, d) * smoothstep(-0.2, 0.5, p.x) + vec3(0.2, 0.45, 0.8) * 0.6 * smoothstep(-0.06, 0.0, d) * smoothstep(0.1, -0.6, p.x), smoothstep(0.015, -0.015, d));
}

vec3 stairs(vec2 p) {
  vec2 q = turn(0.5) * p;
  float k = floor(q.y * 4.0 + 0.5 * step(0.0, q.x)), f = fract(q.y * 4.0 + 0.5 * step(0.0, q.x));
  vec3 c = vec3(0.78, 0.70, 0.60) * (q.x > 0.0 ? mix(0.95, 0.55, f) : mix(0.16, 0.32, f)) * (0.9 + 0.12 * fbm(p * 7.0, 4));
  vec2 w = p - vec2(0.30, -0.28);
  float person = min(length(w - vec2(0.0, 0.30)) - 0.075, segment(w, vec2(0.0, 0.16), vec2(0.0, -0.02)) - 0.085);
  person = min(person, min(segment(w, vec2(-0.03, -0.02), vec2(-0.09, -0.30)) - 0.04, segment(w, vec2(0.03, -0.02), vec2(0.10, -0.28)) - 0.04));
  c *= 1.0 - 0.55 * smoothstep(0.03, -0.02, segment(w, vec2(0.0, -0.3), vec2(0.62, -0.52)) - 0.06);
  return mix(c, w.y > -0.03 && w.y < 0.24 ? vec3(0.70, 0.10, 0.05) : vec3(0.03), smoothstep(0.012, -0.012, person));
}

vec3 quince(vec2 p) {
  vec3 c = p.y > -0.42 ? vec3(0.060, 0.085, 0.080) * (0.8 + 0.5 * fbm(p * 2.0, 4)) : vec3(0.20, 0.12, 0.07) * (0.7 + 0.5 * noise(vec2(p.x * 4.0, p.y * 50.0)));
  vec2 q = (p - vec2(0.02, -0.08)) / 0.52;
  c *= 1.0 - 0.7 * exp(-4.0 * length((p - vec2(0.22, -0.56)) * vec2(0.8, 2.8)));
  float r = length(q * vec2(1.0, 1.0 - 0.10 * q.y)), bump = 1.0 + 0.035 * sin(atan(q.y, q.x) * 3.0 + 0.6);
  if (r < bump) {
    vec3 n = normalize(vec3(q, sqrt(max(0.02, bump * bump - r * r))));
    float lit = max(dot(n, normalize(vec3(-0.75, 0.5, 0.4))), 0.0);
    c = mix(vec3(0.90, 0.62, 0.07), vec3(0.62, 0.60, 0.10), smoothstep(0.4, 0.7, fbm(q * 2.4, 4))) * (0.10 + 1.5 * lit) * (0.85 + 0.2 * noise(q * 9.0)) + vec3(0.5) * pow(lit, 20.0);
  }
  float stem = segment(p, vec2(0.03, 0.38), vec2(0.08, 0.60)) - 0.026;
  c = mix(c, vec3(0.10, 0.06, 0.03), smoothstep(0.012, -0.012, stem));
  vec2 l = turn(1.0) * (p - vec2(0.08, 0.54));
  float leaf = max(length(l - vec2(0.25, 0.20)) - 0.32, length(l - vec2(0.25, -0.20)) - 0.32);
  return mix(c, vec3(0.16, 0.26, 0.06) * (l.y > 0.0 ? 1.3 : 0.7), smoothstep(0.012, -0.012, leaf));
}

vec3 lensEye(vec2 p) {
  float r = length(p), a = atan(p.y, p.x);
  vec3 c = vec3(0.035) + 0.03 * noise(p * 60.0);
  c += vec3(0.30) * smoothstep(0.012, 0.0, abs(r - 0.86)) + vec3(0.16) * smoothstep(0.01, 0.0, abs(r - 0.60)) + 0.10 * step(0.68, r) * step(r, 0.80) * step(0.5, fract(a * 16.0));
  if (r < 0.58) {
    c = mix(vec3(0.16, 0.05, 0.22), vec3(0.02, 0.05, 0.10), smoothstep(0.1, 0.55, r));
    c += vec3(0.10, 0.40, 0.34) * exp(-9.0 * length(p - vec2(0.16, -0.18))) + vec3(0.55, 0.24, 0.12) * exp(-8.0 * length(p - vec2(-0.05, -0.32)));
    float blade = cos(floor(0.5 + a / 1.0472) * 1.0472 - a) * r;
    c = mix(c, vec3(0.004), smoothstep(0.01, -0.01, blade - 0.20));
    vec2 w = turn(0.2) * (p - vec2(-0.20, 0.26));
    c += vec3(1.6, 1.7, 1.8) * smoothstep(0.01, -0.01, box2(w, vec2(0.12, 0.09))) * smoothstep(0.008, 0.02, min(abs(w.x), abs(w.y)));
  }
  return c;
}

vec3 snowScarf(vec2 p) {
  vec3 c = mix(vec3(0.90, 0.92, 0.95), vec3(0.66, 0.74, 0.84), smoothstep(-0.5, 0.9, p.y));
  c = mix(c, vec3(0.45, 0.54, 0.62), 0.7 * smoothstep(0.02, -0.02, p.y + 0.02 - 0.20 * noise(vec2(p.x * 9.0, 2.0))) * step(-0.25, p.y));
  c = mix(c, vec3(0.93, 0.95, 0.97), smoothstep(0.02, -0.02, p.y + 0.22 + 0.05 * sin(p.x * 3.0)));
  vec2 h = p - vec2(-0.05, -0.05);
  float hair = min(length((h - vec2(0.0, 0.16)) * vec2(1.05, 0.95)) - 0.34, max(abs(h.x) - 0.33, abs(h.y + 0.05) - 0.22));
  float coat = segment(h, vec2(-0.36, -0.98), vec2(0.36, -0.98)) - 0.46;
  c = mix(c, vec3(0.025, 0.022, 0.026) * (0.7 + 0.9 * noise(vec2(h.x * 36.0, h.y * 3.0))) + 0.10 * smoothstep(-0.06, 0.0, hair) * smoothstep(0.0, 0.4, h.y), smoothstep(0.015, -0.015, hair));
  c = mix(c, vec3(0.10, 0.12, 0.16) * (0.8 + 0.4 * smoothstep(0.4, -0.4, h.x)), smoothstep(0.015, -0.015, coat));
  float scarf = min(box2(h - vec2(0.0, -0.36), vec2(0.30, 0.07)) - 0.07, segment(h, vec2(0.30, -0.36), vec2(0.95, -0.12 + 0.06 * sin(h.x * 8.0))) - 0.085);
  c = mix(c, vec3(0.74, 0.06, 0.06) * (0.75 + 0.35 * sin((h.x + h.y) * 30.0) * 0.5 + 0.15), smoothstep(0.015, -0.015, scarf));
  for (int i = 0; i < 22; i++) c = mix(c, vec3(1.0), smoothstep(0.045, 0.02, length(p - 2.0 * hash22(vec2(float(i), 3.0)) + 1.0)));
  return c;
}

vec3 lifebuoy(vec2 p) {
  vec2 q = p + 0.05 * vec2(noise(p * 3.0), noise(p * 3.0 + 7.0));
  vec3 net = cells(q * 2.6);
  vec3 c = vec3(0.05, 0.40, 0.52) * (0.62 + 1.1 * pow(1.0 - smoothstep(0.0, 0.40, net.y - net.x), 4.0));
  vec2 h = p - vec2(-0.03, 0.04);
  c *= 1.0 - 0.55 * smoothstep(0.10, -0.06, abs(length(h - vec2(0.13, -0.15)) - 0.50) - 0.19);
  float r = length(h), a = atan(h.y, h.x) + 0.5, across = (r - 0.50) / 0.20, rise = sqrt(max(0.0, 1.0 - across * across));
  vec3 n = normalize(vec3(normalize(h) * across, rise + 0.05));
  float lit = max(dot(n, normalize(vec3(-0.55, 0.62, 0.56))), 0.0), part = abs(fract(a / 1.5708) - 0.5);
  vec3 skin = mix(vec3(0.88, 0.86, 0.80), vec3(0.80, 0.09, 0.04), step(part, 0.17));
  c = mix(c, skin * (0.22 + 0.95 * lit) * (0.95 + 0.08 * noise(p * 30.0)) + 0.4 * pow(lit, 22.0), smoothstep(0.015, -0.015, abs(r - 0.50) - 0.20));
  float rope = abs(r - 0.755 - 0.035 * cos(a * 4.0)) - 0.022;
  return mix(c, vec3(0.85, 0.80, 0.66) * (0.6 + 0.5 * step(0.5, fract(a * 18.0))), smoothstep(0.012, -0.012, rope));
}

vec3 fern(vec2 p) {
  vec3 c = mix(vec3(0.020, 0.050, 0.022), vec3(0.16, 0.26, 0.07), smoothstep(-0.9, 1.0, p.y - 0.4 * p.x));
  for (int i = 0; i < 9; i++) {
    float k = float(i), r = 0.14 + 0.16 * hash1(k * 2.0);
    c += vec3(0.40, 0.48, 0.14) * 0.32 * smoothstep(r, r * 0.85, length(p - vec2(2.0 * hash1(k * 3.7) - 1.0, 1.9 * hash1(k * 6.1) - 0.7)));
  }
  vec2 q = p - vec2(-0.05, 0.22);
  float best = 9.0, shade = 0.0;
  for (int i = 0; i < 90; i++) {
    float t = float(i) / 89.0, a = 1.2 - t * 12.5, r = 0.56 * pow(1.0 - t, 0.85) + 0.03;
    vec2 at = vec2(cos(a), sin(a)) * r;
    if (t < 0.02) at = vec2(0.20, 0.52);
    float d = length(q - at) - 0.085 * (1.0 - 0.62 * t);
    if (d < best) { best = d; shade = t; }
    vec2 outward = normalize(at);
    float tuft = length(q - at - outward * 0.09 * (1.0 - 0.6 * t)) - 0.036 * (1.0 - 0.5 * t);
    if (tuft < best) { best = tuft; shade = t + 0.2; }
  }
  float stem = segment(q, vec2(0.54, 0.05), vec2(0.42, -1.5)) - 0.085;
  best = min(best, stem);
  vec3 green = vec3(0.30, 0.52, 0.10) * (0.55 + 0.9 * smoothstep(0.0, -0.07, best)) * (0.8 + 0.4 * smoothstep(-0.6, 0.6, p.y - p.x));
  green += vec3(0.50, 0.52, 0.20) * smoothstep(-0.03, 0.0, best) * smoothstep(-0.2, 0.6, p.y);
  return mix(c, green * (1.0 - 0.25 * step(1.0, fract(shade * 9.0) + 0.6)), smoothstep(0.018, -0.018, best));
}

vec3 photo(vec2 uv) {
  int who = int(uParams.x);
  if (who == 0) return peak(uv);
  if (who == 1) return nightHead(uv);
  if (who == 2) return stairs(uv);
  if (who == 3) return quince(uv);
  if (who == 4) return lensEye(uv);
  if (who == 5) return snowScarf(uv);
  return who == 6 ? lifebuoy(uv) : fern(uv);
}
