// Reeds in still water, drawn twice.

float stems(vec2 p, float seed) {
  float best = 9.0;
  for (int i = 0; i < 17; i++) {
    float k = float(i) + seed, x = -0.52 + 0.064 * float(i) + 0.05 * hash1(k * 3.0), tall = 0.22 + 0.52 * pow(hash1(k * 5.3), 1.5);
    float bend = 0.16 * (hash1(k * 7.1) - 0.5), y = clamp(p.y / tall, 0.0, 1.0), at = x + bend * y * y;
    float stem = max(abs(p.x - at) - 0.0026, max(-p.y, p.y - tall));
    best = min(best, stem);
    if (hash1(k * 9.0) > 0.45) best = min(best, max(abs(p.x - at) - 0.0095, abs(p.y - tall * 0.90) - 0.042) - 0.003);
    vec2 a = vec2(x, tall * 0.25), b = vec2(x + (hash1(k * 2.7) - 0.5) * 0.22, tall * (0.60 + 0.3 * hash1(k)));
    best = min(best, segment(p, a, b) - 0.0048 * (1.0 - clamp((p.y - a.y) / (b.y - a.y), 0.0, 1.0)));
    if (hash1(k * 4.9) > 0.7) best = min(best, segment(p, b, b + vec2(sign(b.x - x) * 0.075, -0.085)) - 0.0018);
  }
  return best;
}

vec3 air(vec2 p) {
  vec3 c = mix(vec3(1.10, 0.66, 0.50), vec3(0.42, 0.50, 0.68), smoothstep(0.0, 0.75, p.y));
  c = mix(c, vec3(0.20, 0.30, 0.52), smoothstep(0.5, 1.3, p.y));
  vec2 sun = p - vec2(0.13, 0.16);
  c += vec3(0.9, 0.4, 0.2) * exp(-4.5 * length(sun)) + vec3(5.0, 2.4, 1.1) * smoothstep(0.068, 0.063, length(sun));
  float cloud = smoothstep(0.45, 0.78, fbm(vec2(p.x * 1.6, p.y * 6.5) + 5.0, 6));
  c = mix(c, mix(vec3(0.66, 0.44, 0.50), vec3(1.2, 0.70, 0.52), smoothstep(0.6, 0.1, p.y)), cloud * 0.6);
  float wood = 0.042 + 0.035 * fbm(vec2(p.x * 6.0, 2.0), 5);
  return mix(c, vec3(0.27, 0.22, 0.28), smoothstep(0.006, -0.006, p.y - wood));
}

vec3 photo(vec2 uv) {
  float line = -0.18;
  vec2 p = vec2(uv.x, uv.y - line);
  bool water = p.y < 0.0;
  float ripple = 0.0;
  if (water) {
    ripple = (fbm(vec2(p.x * 3.0, 26.0 * p.y / (0.35 - p.y)), 4) - 0.5) * 0.055 * smoothstep(0.0, -0.6, p.y);
    float ring = length((p - vec2(-0.22, -0.46)) * vec2(1.0, 2.9));
    ripple += 0.010 * sin(ring * 95.0) * exp(-ring * 9.0);
    p = vec2(p.x + ripple, -p.y + ripple * 0.6);
  }
  vec3 c = air(p);
  if (water) c = c * vec3(0.66, 0.68, 0.74) + vec3(0.004, 0.010, 0.018);
  float soft = water ? 0.006 : 0.0025;
  float far = stems(p * 1.7 + vec2(0.1, 0.0), 40.0), near = stems(p + vec2(water ? ripple * 2.0 : 0.0, 0.03), 3.0);
  c = mix(c, vec3(0.20, 0.155, 0.18), smoothstep(soft, -soft, far) * 0.75);
  c = mix(c, vec3(0.022, 0.018, 0.024), smoothstep(soft, -soft, near) * (water ? 0.86 : 1.0));
  vec2 bird = vec2(uv.x - 0.22, abs(uv.y - line) - 0.0);
  float heron = min(segment(bird, vec2(0.0, 0.0), vec2(0.004, 0.10)) - 0.003, segment(bird, vec2(0.014, 0.0), vec2(0.010, 0.10)) - 0.003);
  heron = min(heron, length((turn(-0.45) * (bird - vec2(0.010, 0.135))) * vec2(0.55, 1.15)) - 0.030);
  heron = min(heron, min(segment(bird, vec2(-0.020, 0.155), vec2(-0.036, 0.215)) - 0.0075, segment(bird, vec2(-0.036, 0.215), vec2(-0.020, 0.262)) - 0.0065));
  heron = min(heron, min(length((bird - vec2(-0.023, 0.268)) * vec2(0.8, 1.1)) - 0.0125, segment(bird, vec2(-0.030, 0.268), vec2(-0.075, 0.258)) - 0.0028));
  return mix(c, vec3(0.018, 0.015, 0.020), smoothstep(soft, -soft, heron) * (water ? 0.8 : 1.0));
}
